import { endpoints } from '../../core/contract/contract.ts'
import { scenes } from '../machines/scenes.ts'
import { sizeOf } from '../sizes.ts'
import { many, type Resource, rowsAndVersions } from './resource.ts'

const nameOf = new Map(endpoints.map(({ name, endpoint }) => [endpoint, name]))

/** What may be said again and again: it leaves the record where it is. */
const again: ReadonlySet<string> = new Set(['audit.open', 'audit.heartbeat', 'audit.draft', 'loan.channel'])

/** What may be done to an account by one at a time: they wait for one another before they look for a row. */
const byAccount: ReadonlySet<string> = new Set(['recon.explain', 'recon.adjust', 'recon.match'])
const accountLock = /pg_advisory_xact_lock\(hashtextextended\((\$\d+), 0\)\)/

/** What keeps a step besides the lock of its row and the version in its change. */
const besides: Readonly<Record<string, readonly string[]>> = {
  'attach.save': ['drop index if exists attachment_live'],
  'audit.allot': ['drop index if exists audit_task_active'],
  'audit.submit': ['drop index if exists loan_code_open'],
  'loan.recreate': ['drop index if exists loan_code_open'],
  'loan.cancelPaid': ['drop index if exists approval_pending'],
  'repay.rollback': ['drop index if exists approval_pending'],
  'repay.flowVoid': ['drop index if exists approval_pending'],
  'repay.commit': [
    'drop index if exists repay_flow_serial',
    'alter table repay_record drop constraint if exists repay_record_order_no_record_seq_key',
  ],
  'repay.zeroSettle': ['alter table repay_record drop constraint if exists repay_record_order_no_record_seq_key'],
  'repay.reuseOverflow': ['alter table repay_record drop constraint if exists repay_record_order_no_record_seq_key'],
  'recon.adjust': ['drop index if exists approval_pending'],
  'recon.match': [
    'alter table matched_booking drop constraint if exists matched_booking_pkey',
    'drop trigger if exists statement_line_matched on statement_line',
  ],
  'audit.changePayout': ['alter table order_payout_history drop constraint if exists order_payout_history_pkey'],
  'loan.userInfo': ['alter table order_payout_history drop constraint if exists order_payout_history_pkey'],
}

/** What holds a step even then. */
const alsoBy: Readonly<Record<string, string>> = {
  'imports.cancel': 'its file is given back once: whoever is second finds none that belongs to it',
  'loan.confirm':
    'a person confirms once: the row refuses the same person as the second, and the bills of an order exist once',
}

/** Every command of staff on a record: all who do the same thing at once do it once. */
export const steps: Resource[] = scenes.flatMap(({ endpoint, make }) => {
  const name = nameOf.get(endpoint)!
  if (again.has(name)) return []
  return [
    {
      name: `the step ${name}`,
      rule: 'F3: what is done is not done again under another key',
      available: 1,
      async make(house, parallel) {
        const { input, as = house.boss } = await make(house)
        const n = Math.min(parallel, sizeOf('parallel', 10))
        const proofs = await Promise.all(many(n, () => house.stepUp(as)))
        return {
          tries: many(n, i => () => house.ask(endpoint, input, { as, headers: { 'x-step-up': proofs[i] as string } })),
        }
      },
      ...(byAccount.has(name) ? { at: accountLock } : {}),
      kept: { by: [...rowsAndVersions, [accountLock, '$1']], drop: besides[name] ?? [], alsoBy: alsoBy[name] },
    },
  ]
})
