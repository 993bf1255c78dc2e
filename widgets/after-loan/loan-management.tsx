import { attach } from '../../core/contract/attach.ts'
import type { LoanCodeRow } from '../../core/contract/loan.ts'
import { loan } from '../../core/contract/loan.ts'
import { upload } from '../../core/contract/upload.ts'
import { listScreen } from '../../core/engine/list-screen.ts'
import { names } from '../../core/engine/names.ts'
import type { Act, Action } from '../../core/engine/screen.ts'
import { Dict } from '../../core/engine/value.tsx'
import { formatMoney } from '../../core/rules/amount.ts'
import { LoanDetail } from './loan-detail.tsx'
import { PayoutFigures } from './payout-figures.tsx'

type Row = LoanCodeRow

const repair = (act: Act<Row>): Action<Row>[] => [
  act(loan.retry, {
    label: 'actions.replay',
    confirm: 'afterLoan.confirmReplay',
    when: row => row.attemptNo < 5,
  }),
  act(loan.cancel, {
    label: 'actions.cancelPayout',
    tone: 'danger',
    ask: ['reason', 'remark'],
    confirm: 'afterLoan.confirmCancel',
  }),
]

const verify = (act: Act<Row>) =>
  act(loan.verify, {
    label: 'actions.verifyAccount',
    confirm: 'afterLoan.confirmVerify',
    when: row => ['created', 'failed'].includes(row.loanCodeStatus),
  })

const failedOnly = (action: Action<Row>): Action<Row> => ({
  ...action,
  when: row => row.loanCodeStatus === 'failed' && (action.when?.(row) ?? true),
})

/** Payout officers see that approved loans leave, find those that hang, repair those that failed, and never pay twice. */
export default listScreen({
  list: loan.page,
  rowKey: 'loanCode',
  filters: names(`keyword phone loanCodeStatus requestTime merchantNo productNo loanKind channel payoutType failType
    verifyResult confirmStatus unknownMinutes actualLoanAmount finishTime`),
  presets: [
    { label: 'afterLoan.toSend', filters: { loanCodeStatus: ['created'] }, sort: 'requestTime' },
    { label: 'afterLoan.inFlight', filters: { loanCodeStatus: ['remitting', 'unknown'] }, sort: 'requestTime' },
    {
      label: 'afterLoan.unknownLong',
      filters: { loanCodeStatus: ['unknown'], unknownMinutes: [30, null] },
      sort: 'requestTime',
    },
    { label: 'afterLoan.failed', filters: { loanCodeStatus: ['failed'] } },
    { label: 'afterLoan.toConfirm', filters: { confirmStatus: 'first_confirmed' } },
    { label: 'afterLoan.reversing', filters: { loanCodeStatus: ['reversing'] } },
  ],
  columns: names(`loanCode orderNo customerName actualLoanAmount loanCodeStatus waitReason failType requestTime
    walletAccount`),
  more: names(`payoutSubtype serialNo phone thirdOrderNo merchantName productName loanKind loanAmount bankName bankCardNo
    cardholderName verifyResult channel fundAccountName unknownMinutes attemptNo failReason confirmStatus confirmerName
    confirmTime auditTime finishTime`),
  row: act => [
    ...repair(act),
    act(loan.query, {
      label: 'actions.askNow',
      confirm: 'afterLoan.confirmAsk',
      when: row => ['remitting', 'unknown'].includes(row.loanCodeStatus),
      done: answer => ({ key: 'afterLoan.channelSays', params: { answer: (answer as { answer: string }).answer } }),
    }),
    act(loan.confirm, {
      label: 'actions.confirmOutcome',
      ask: ['result', 'serialNo', 'statementDate', 'evidence'],
      confirm: rows => ({
        key: 'afterLoan.confirmOutcome',
        params: {
          amount: formatMoney(rows[0]?.actualLoanAmount ?? '0.00'),
          payee: rows[0]?.walletAccount ?? rows[0]?.bankCardNo ?? '',
        },
      }),
    }),
    act(loan.userInfo, {
      label: 'actions.correctPayee',
      ask: ['payoutSubtype', 'walletAccount', 'cardholderName'],
      confirm: rows => ({
        key: 'afterLoan.confirmPayee',
        params: { payee: rows[0]?.walletAccount ?? rows[0]?.bankCardNo ?? '' },
      }),
    }),
    act(loan.recreate, {
      label: 'actions.recreateCode',
      confirm: 'afterLoan.confirmRecreate',
      when: row => row.verifyResult === 'passed',
    }),
    act(loan.allowReWithdraw, {
      label: 'actions.allowReWithdraw',
      confirm: 'afterLoan.confirmReWithdraw',
      when: row => row.loanCodeStatus === 'failed',
    }),
    verify(act),
    act(loan.markChecked, {
      label: 'actions.markChecked',
      ask: ['evidence'],
      confirm: rows => ({
        key: 'afterLoan.confirmMarkChecked',
        params: { account: rows[0]?.bankCardNo ?? '', name: rows[0]?.cardholderName ?? '' },
      }),
      when: row =>
        row.payoutType === 'bank' &&
        row.verifyResult !== 'passed' &&
        ['created', 'failed'].includes(row.loanCodeStatus),
    }),
    act(loan.cancelPaid, {
      label: 'actions.cancelPaid',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'afterLoan.confirmCancelPaid',
      done: 'afterLoan.sentForApproval',
    }),
    act(loan.abortCancelPaid, { label: 'actions.abort', confirm: 'afterLoan.confirmAbort' }),
  ],
  bulk: act => [
    ...repair(act).map(failedOnly),
    verify(act),
    act(loan.channel, { label: 'actions.changeAccount', ask: ['fundAccountNo'] }),
  ],
  above: () => <PayoutFigures />,
  head: row => (
    <>
      <Dict dict="LOAN_CODE_STATUS" value={row.loanCodeStatus} />
      <span>UGX {formatMoney(row.actualLoanAmount)}</span>
    </>
  ),
  detail: (row, reload) => <LoanDetail loanCode={row.loanCode} reload={reload} />,
  also: [loan.summary, loan.detail, attach.list, upload.token, upload.file],
  refresh: 15_000,
})
