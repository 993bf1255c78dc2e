import { lazy, Suspense } from 'react'
import { common } from '../../core/contract/common/common.ts'
import { type LoanLimit, loanLimit } from '../../core/contract/operation/loan-limit.ts'
import { useText } from '../../core/element/i18n.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import { formatMoney } from '../../core/rules/amount.ts'
import { Loading } from '../../core/ui/states.tsx'

const Detail = lazy(async () => ({ default: (await import('./loan-limit/limit-detail.tsx')).LimitDetail }))

const amounts = ['dailyLimit', 'dailyPayouts', 'outstandingLimit'] as const
const versioned = (rows: readonly LoanLimit[]) => ({ limitNo: rows[0]?.limitNo, version: rows[0]?.version })

/** What a limit is for: everything that the merchant lends, a product, or a kind of loan. */
const Of = ({ name }: { name: string | null }) => {
  const t = useText()
  return <>{name ?? t('loanLimit.all')}</>
}
/** An amount beside what it may be at most. */
const outOf = (used: string, most: string | null) =>
  most === null ? formatMoney(used) : `${formatMoney(used)} / ${formatMoney(most)}`

/** Finance and operations heads decide what each merchant may pay out today, and close or open the tap within minutes. */
export default listScreen({
  list: loanLimit.page,
  rowKey: 'limitNo',
  filters: ['merchantNo', 'limitState', 'productNo', 'loanKind', 'orgNo'],
  presets: [
    { label: 'loanLimit.figures', filters: {} },
    { label: 'loanLimit.overAll', filters: { limitState: ['nearly', 'used'] } },
    { label: 'loanLimit.closed', filters: { limitState: ['used', 'suspended'] } },
    { label: 'config.waitingForMe', filters: { waiting: true } },
  ],
  columns: [
    'merchantName',
    { id: 'productName', cell: row => <Of name={row.productName} /> },
    'loanKind',
    'limitState',
    'dailyLimit',
    'dayLimit',
    'usedAmount',
    'remainingAmount',
    'usedPercent',
    {
      id: 'usedPayouts',
      cell: row => (row.dailyPayouts === null ? row.usedPayouts : `${row.usedPayouts} / ${row.dailyPayouts}`),
    },
    'waitingCount',
    'waitingAmount',
    {
      id: 'outstandingPrincipal',
      width: 190,
      cell: row => outOf(row.outstandingPrincipal, row.outstandingLimit),
    },
    'hoursLeft',
    'updatedBy',
    'updatedTime',
  ],
  more: ['limitNo', 'orgName', 'reservedAmount', 'suspendReason', 'dayPayouts'],
  refresh: 60_000,
  row: act => [
    act(loanLimit.save, {
      label: 'loanLimit.set',
      ask: amounts,
      from: 'row',
      input: versioned,
      confirm: 'loanLimit.confirmSet',
      done: answer => ((answer as { approvalNo: string | null }).approvalNo ? 'config.sentForApproval' : 'common.done'),
    }),
    act(loanLimit.day, {
      label: 'loanLimit.day',
      ask: ['dayLimit', 'dayPayouts'],
      from: rows => ({ dayLimit: rows[0]?.dayLimit ?? rows[0]?.dailyLimit ?? undefined }),
      input: versioned,
      confirm: 'loanLimit.confirmSet',
      done: answer => ((answer as { approvalNo: string | null }).approvalNo ? 'config.sentForApproval' : 'common.done'),
    }),
  ],
  rowAndBulk: act => [
    act(loanLimit.suspend, {
      label: 'loanLimit.suspend',
      tone: 'danger',
      ask: ['reason'],
      input: rows => ({ limitNos: rows.map(row => row.limitNo) }),
      confirm: 'loanLimit.confirmSuspend',
    }),
    act(loanLimit.resume, {
      label: 'loanLimit.resume',
      input: rows => ({ limitNos: rows.map(row => row.limitNo) }),
      confirm: 'loanLimit.confirmResume',
    }),
  ],
  toolbar: act => [
    act(loanLimit.add, {
      label: 'loanLimit.add',
      ask: ['merchantNo', 'productNo', 'loanKind', ...amounts],
      confirm: 'loanLimit.confirmAdd',
    }),
    act(loanLimit.organization, {
      label: 'loanLimit.organization',
      ask: ['orgNo', 'dailyLimit'],
      confirm: 'loanLimit.confirmOrganization',
      done: 'config.sentForApproval',
    }),
  ],
  detail: (row, reload) => (
    <Suspense fallback={<Loading rows={4} />}>
      <Detail key={row.limitNo} row={row} reload={reload} />
    </Suspense>
  ),
  also: [loanLimit.today, loanLimit.history, common.approvals, common.approve, common.reject, common.withdraw],
})
