import { loan } from '../../../core/contract/after-loan/loan.ts'
import { eatDate } from '../../../core/rules/time.ts'
import { type Made, payoutPerms } from '../../systems/after-loan/payout/payout-fixture.ts'
import type { Person } from '../../testing/kit.ts'
import { readyFile } from '../../testing/ready-file.ts'
import { refOf, type WalletChannel } from '../gateway.ts'
import type { Fixture } from './wallet-fixture.ts'

/** Seconds since the payout was sent at which every case is looked at. */
export const moments = {
  sent: 0,
  minute: 60,
  twoMinutes: 120,
  fiveMinutes: 300,
  tenMinutes: 600,
  halfHour: 1800,
  hour: 3605,
  day: 25 * 3600,
} as const
export type Moment = keyof typeof moments

/** Somebody with the given rights who has just signed in. */
type Enter = (...perms: string[]) => Promise<Person>
export type Scene = { fixture: Fixture; enter: Enter; channel: WalletChannel; made: Made }
type Status = 'remitting' | 'unknown' | 'success' | 'failed' | 'created' | 'cancelled'

/** One case of a network and what must be true here. */
export type PayoutCase = {
  code: string
  title: string
  variant?: string
  impatient?: boolean
  /** States of the loan code at some moments. */
  states: Partial<Record<Moment, Status>>
  order: 'funds_disbursed' | 'loan_failed' | 'remitting' | 'pending_disbursement' | 'cancelled'
  failType?: string
  postings: readonly string[]
  /** How often money really moved. */
  moved: number
  attempts?: number
  items?: readonly string[]
  /** How often its callbacks came, and what was suspicious about them. */
  deliveries?: number
  suspicions?: readonly string[]
  /** What people do at a moment, before the clock goes on. */
  meanwhile?: Partial<Record<Moment, (scene: Scene) => Promise<void>>>
}

const paid = ['P1a', 'P1b']
const failed = ['P1a', 'P1c']
const succeeds = { order: 'funds_disbursed', postings: paid, moved: 1 } as const
const fails = { order: 'loan_failed', postings: failed, moved: 0 } as const

const retry = async ({ fixture: { p }, enter, made }: Scene) => {
  const input = { loanCodes: [made.loanCode], accountChecked: true }
  return (await p.call(loan.retry, input, { as: await enter(...payoutPerms) })).data.rows[0]
}
const expectOk = (answer: { code: number; msg: string } | undefined) => {
  if (answer?.code !== 0) throw new Error(`refused: ${answer?.code} ${answer?.msg}`)
}

/** The next send of a code succeeds, whatever its payee meets else. */
const nextSucceeds = ({ fixture, channel, made }: Scene) => {
  const again = `${made.loanCode}-2`
  const value = channel === 'airtel_money' ? refOf(channel, again) : again
  return fixture.networks[channel].scenario({ match: 'externalId', value, case: 'G01' })
}

const replay = async (scene: Scene) => {
  await nextSucceeds(scene)
  expectOk(await retry(scene))
}

/** The payee is corrected, and the code recreated for the other account. */
const recreate = async ({ fixture: { p, networks }, channel, enter, made }: Scene) => {
  const officer = await enter(...payoutPerms)
  const { walletAccount, payoutSubtype } = await p.code(made.loanCode)
  const other = `${walletAccount?.slice(0, 8)}${made.orderNo.slice(2).padStart(3, '5')}8`
  await networks[channel].holder(other, 'Grace Nakato')
  await networks[channel].scenario({ match: 'payee', value: other, case: 'G01' })
  expectOk(await p.corrected(made.loanCode, { payoutSubtype: payoutSubtype as 'mtn', walletAccount: other }, officer))
  const now = await p.versionOf(made.loanCode)
  expectOk(await p.call(loan.recreate, { loanCode: made.loanCode, version: now }, { as: officer }))
}

const cancel = async ({ fixture: { p }, enter, made }: Scene) => {
  const input = { loanCodes: [made.loanCode], reason: 'duplicate' as const }
  expectOk((await p.call(loan.cancel, input, { as: await enter(...payoutPerms) })).data.rows[0])
}

/** Two people say what the statement of the network shows. */
const confirm =
  (result: 'success' | 'failure') =>
  async ({ fixture, channel, enter, made }: Scene) => {
    const { p } = fixture
    const [movement] = await fixture.moved(channel, made.orderNo)
    const { sentTime } = await p.attempt(made.loanCode)
    for (let person = 0; person < 2; person += 1) {
      const as = await enter('fund:payout:confirm', 'fund:payout:page')
      const input = {
        loanCode: made.loanCode,
        version: await p.versionOf(made.loanCode),
        result,
        statementDate: eatDate(sentTime ?? ''),
        evidence: await readyFile(p.db, as.userNo),
        ...(result === 'success' ? { serialNo: String(movement?.serialNo) } : {}),
      }
      expectOk(await p.call(loan.confirm, input, { as }))
    }
  }

const staysClosed = async (scene: Scene) => {
  const row = await retry(scene)
  if (row?.code !== 40901) throw new Error(`a replay of an unknown payout answered ${row?.code}`)
}

/** Reasons of final failures, as each network words them. */
const reasons: Record<WalletChannel, readonly (readonly [word: string, failType: string])[]> = {
  mtn_momo: [
    ['PAYEE_NOT_FOUND', 'payee_invalid'],
    ['PAYEE_NOT_ALLOWED_TO_RECEIVE', 'payee_barred'],
    ['INTERNAL_PROCESSING_ERROR', 'other'],
    ['COULD_NOT_PERFORM_TRANSACTION', 'other'],
    ['A_REASON_OF_TOMORROW', 'other'],
  ],
  airtel_money: [
    ['DP00900001003', 'payee_limit'],
    ['DP00900001004', 'amount_limit'],
    ['DP00900001005', 'other'],
    ['DP00900001009', 'payee_invalid'],
    ['DP00900001010', 'payee_barred'],
    ['DP00900001012', 'payee_invalid'],
    ['DP00900001013', 'other'],
    ['DP00900001099', 'other'],
  ],
}

const late = { postings: ['P1a', 'P1c', 'P1e'], moved: 1, items: ['paid_not_expected'] } as const

/** G01 to G21 as one network plays them; G17 with a token that stays dead and G18 stop a channel, so they come by themselves. */
export const payoutCases = (channel: WalletChannel): readonly PayoutCase[] => {
  const mtn = channel === 'mtn_momo'
  const all: (PayoutCase | false)[] = [
    {
      code: 'G01',
      title: 'success on the first ask',
      variant: mtn ? undefined : 'later',
      states: { minute: 'success' },
      ...succeeds,
    },
    !mtn && {
      code: 'G01',
      title: 'success in the answer to the send',
      variant: 'atOnce',
      states: { sent: 'success' },
      ...succeeds,
    },
    {
      code: 'G02',
      title: 'pending, success at the third ask',
      states: { sent: 'remitting', minute: 'unknown', twoMinutes: 'unknown', fiveMinutes: 'success' },
      ...succeeds,
    },
    ...reasons[channel].map(([variant, failType]) => ({
      code: 'G03',
      title: `final failure: ${variant}`,
      variant,
      failType,
      states: { minute: 'failed' as const },
      ...fails,
    })),
    { code: 'G04', title: 'the line is cut after paying', states: { sent: 'unknown', minute: 'success' }, ...succeeds },
    {
      code: 'G05',
      title: 'the line is cut without paying',
      states: { sent: 'unknown', minute: 'failed' },
      failType: 'other',
      ...fails,
    },
    {
      code: 'G06',
      title: 'paid, and not found for twenty minutes',
      states: { sent: 'remitting', minute: 'unknown', tenMinutes: 'unknown', halfHour: 'success' },
      meanwhile: { tenMinutes: staysClosed },
      ...succeeds,
    },
    {
      code: 'G07',
      title: 'never reached them',
      states: { sent: 'unknown', hour: 'unknown', day: 'failed' },
      meanwhile: { hour: staysClosed },
      failType: 'other',
      ...fails,
    },
    {
      code: 'G08',
      title: 'failure, and success an hour later',
      states: { minute: 'failed', halfHour: 'failed', hour: 'success' },
      order: 'funds_disbursed',
      postings: ['P1a', 'P1c', 'P1a', 'P1b'],
      moved: 1,
    },
    {
      code: 'G09',
      title: 'the same, replayed in between',
      states: { minute: 'failed', hour: 'success' },
      meanwhile: { fiveMinutes: replay },
      order: 'funds_disbursed',
      postings: ['P1a', 'P1c', 'P1a', 'P1b', 'P1e'],
      moved: 2,
      attempts: 2,
      items: ['paid_not_expected'],
    },
    {
      code: 'G09',
      title: 'the same, replayed and not yet sent',
      states: { minute: 'failed', hour: 'created', day: 'created' },
      meanwhile: { halfHour: replay },
      order: 'pending_disbursement',
      ...late,
    },
    {
      code: 'G09',
      title: 'the same, recreated for another account',
      states: { minute: 'failed', hour: 'cancelled' },
      meanwhile: { fiveMinutes: recreate },
      order: 'funds_disbursed',
      postings: late.postings,
      moved: 2,
      items: late.items,
      attempts: 1,
    },
    {
      code: 'G09',
      title: 'the same, cancelled in between',
      states: { minute: 'failed', hour: 'cancelled' },
      meanwhile: { fiveMinutes: cancel },
      order: 'cancelled',
      ...late,
    },
    {
      code: 'G10',
      title: 'success, then a callback of a failure',
      states: { minute: 'success' },
      items: ['late_contradiction'],
      ...succeeds,
    },
    { code: 'G11', title: 'five callbacks of one success', states: { minute: 'success' }, deliveries: 5, ...succeeds },
    { code: 'G12', title: 'callback before our send was answered', states: { minute: 'success' }, ...succeeds },
    {
      code: 'G13',
      title: 'strangers tell lies, and asking tells another amount',
      states: { minute: 'unknown', day: 'unknown' },
      order: 'remitting',
      postings: ['P1a'],
      moved: 1,
      items: ['amount_differs'],
      suspicions: Array(2).fill(mtn ? 'callback.differs' : 'callback.signature'),
    },
    { code: 'G14', title: 'we crash after sending', states: { sent: 'unknown', minute: 'success' }, ...succeeds },
    ...['500', 'html', 'empty', 'broken', 'late'].map(variant => ({
      code: 'G15',
      title: `nobody can read the answer: ${variant}`,
      variant,
      impatient: variant === 'late',
      states: { sent: 'unknown' as const, minute: 'unknown' as const, twoMinutes: 'success' as const },
      ...succeeds,
    })),
    ...['429', '503'].map(
      (variant): PayoutCase => ({
        code: 'G16',
        title: `${variant} before it was taken in`,
        variant,
        ...(mtn
          ? { states: { sent: 'unknown', twoMinutes: 'success' }, ...succeeds }
          : { states: { sent: 'unknown', hour: 'unknown', day: 'failed' }, failType: 'other', ...fails }),
      }),
    ),
    { code: 'G17', title: 'the token dies', variant: 'once', states: { minute: 'success' }, ...succeeds },
    {
      code: 'G19',
      title: 'the payee is over a limit',
      states: { minute: 'failed' },
      failType: 'payee_limit',
      ...fails,
    },
    !mtn && {
      code: 'G20',
      title: 'ambiguous, then paid',
      variant: 'TS',
      states: { minute: 'unknown', twoMinutes: 'unknown', fiveMinutes: 'success' },
      ...succeeds,
    },
    !mtn && {
      code: 'G20',
      title: 'ambiguous, then failed',
      variant: 'TF',
      states: { minute: 'unknown', twoMinutes: 'unknown', fiveMinutes: 'failed' },
      failType: 'other',
      ...fails,
    },
    {
      code: 'G21',
      title: 'pending for ever: two people find it on the statement',
      variant: 'paid',
      states: { minute: 'unknown', hour: 'unknown' },
      meanwhile: { day: confirm('success') },
      ...succeeds,
    },
    {
      code: 'G21',
      title: 'pending for ever: two people find nothing',
      variant: 'unpaid',
      states: { minute: 'unknown', hour: 'unknown' },
      meanwhile: { day: confirm('failure') },
      failType: 'other',
      ...fails,
    },
  ]
  return all.filter(one => one !== false)
}
