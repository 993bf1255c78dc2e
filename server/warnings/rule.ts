import type { ValueOf } from '../../core/contract/fields.ts'
import type { warningLevels, warningTypes } from '../../core/contract/portal/warning.ts'
import type { Tx } from '../db/database.ts'
import type { Params } from '../http/fault.ts'

export type WarningType = ValueOf<typeof warningTypes>
export type WarningLevel = ValueOf<typeof warningLevels>

/** The permission whose holders see the warnings of a type and deal with them. */
export const handledBy = {
  payout_unknown: 'fund:payout:confirm',
  payout_exception: 'fund:recon:handle',
  airtime_unknown: 'fund:payout:confirm',
  balance_low: 'fund:payout:retry',
  message_balance_low: 'message:account:save',
  channel_failing: 'fund:channel:update',
  recon_diff: 'fund:recon:handle',
  job_failed: 'ops:job:run',
  config_start_failed: 'ops:job:run',
  price_over_cap: 'risk:pricing:save',
  model_shifted: 'risk:model:save',
  model_not_loaded: 'risk:model:save',
  challenger_stopped: 'risk:model:save:check',
  rules_milder: 'risk:ruleSet:save:check',
  machine_incomplete: 'risk:plan:save',
  outbox_dead: 'ops:outbox:requeue',
  merchant_balance_low: 'merchant:config:update',
  merchant_contract_ending: 'merchant:config:update',
  launch_cost_doubled: 'operation:launch:save',
  audit_waiting: 'audit:order:allot',
  allot_stuck: 'audit:order:allot',
  login_attack: 'user:session:revoke',
  mass_reveal: 'log:audit:page',
} as const satisfies Partial<Record<WarningType, string>>

/** All of them, each once. */
export const warningPerms: readonly string[] = [...new Set(Object.values(handledBy))]

/** A record that a warning is about. */
export type Affected = { objectNo: string; route: string | null }

/** What a rule found. */
export type Found = {
  /** Tells apart what one rule may find several of at a time. */
  key: string
  /** Whose records they are; null for ours, whatever the merchant. */
  merchantNo: string | null
  objectType: string
  affected: readonly Affected[]
  /** Values of its words; nothing that grows by itself with time, and nothing that is masked for anybody. */
  facts: Params
  /** When the newest of its causes came up, for rules without an end of their own. */
  since?: string
}

/** A condition that duty leads are warned of while it lasts. Its words are the texts `warning.{type}.*`. */
export type WarningRule = {
  type: keyof typeof handledBy
  level: WarningLevel
  /** Nothing shows that its cause is gone: a person ends it. */
  endedByPerson?: true
  find: (tx: Tx, thresholds: Thresholds) => Promise<readonly Found[]>
}

/** Numbers that rules go by; the business config `WARNING_THRESHOLDS` changes them. */
export const defaults = {
  payoutUnknownMinutes: 30,
  channelAttempts: 20,
  channelPercent: 80,
  channelMinutes: 30,
  reconDays: 1,
  auditMinutes: 30,
  allotMinutes: 10,
  lockedNames: 5,
  locksOfName: 3,
  revealsAnHour: 60,
}
/** Numbers from which warnings are raised. */
export type Thresholds = typeof defaults

/** Records that a warning names at most. */
export const most = 10
