import type { OpenLoanCode } from '../../core/contract/after-loan/loan.ts'
import { loan } from '../../core/contract/after-loan/loan.ts'
import { recon } from '../../core/contract/after-loan/reconciliation.ts'
import { approvalCalls } from '../../core/contract/common/approval.ts'
import { attach } from '../../core/contract/common/attachment.ts'
import { logCalls } from '../../core/contract/common/common.ts'
import { upload } from '../../core/contract/common/upload.ts'
import { listScreen } from '../../core/engine/list/list-screen.ts'
import type { Act, Action } from '../../core/engine/screen.ts'
import { Dict } from '../../core/engine/table/value.tsx'
import { formatMoney } from '../../core/rules/amount.ts'
import { CorrectPayeeDialog } from './correct-payee-dialog.tsx'
import { LoanDetail } from './loan-detail.tsx'
import { PayoutFigures } from './payout-figures.tsx'

type Row = OpenLoanCode

const repair = (act: Act<Row>): Action<Row>[] => [
  act(loan.retry, { label: 'actions.replay', confirm: 'afterLoan.confirmReplay' }),
  act(loan.cancel, {
    label: 'actions.cancelPayout',
    tone: 'danger',
    ask: ['reason', 'remark'],
    confirm: 'afterLoan.confirmCancel',
  }),
]

const verify = (act: Act<Row>) =>
  act(loan.verify, { label: 'actions.verifyAccount', confirm: 'afterLoan.confirmVerify' })

/** What is not sent yet is cancelled one by one. */
const failedOnly = (action: Action<Row>): Action<Row> => ({
  ...action,
  when: row => row.loanCodeStatus === 'failed' || 'errors.batchCancelFailedOnly',
})

/** Loan codes with what may be done to each. */
export default listScreen({
  list: loan.page,
  rowKey: 'loanCode',
  start: { requestTime: 'last30' },
  filters: [
    'keyword',
    'phone',
    'loanCodeStatus',
    'requestTime',
    'merchantNo',
    'productNo',
    'loanKind',
    'channel',
    'payoutType',
    'failType',
    'verifyResult',
    'confirmStatus',
    'unknownMinutes',
    'actualLoanAmount',
    'finishTime',
    'waitsForApproval',
  ],
  presets: [
    { label: 'afterLoan.toSend', filters: { loanCodeStatus: ['created'] }, sort: 'requestTime' },
    { label: 'afterLoan.inFlight', filters: { loanCodeStatus: ['remitting', 'unknown'] }, sort: 'requestTime' },
    {
      label: 'afterLoan.unknownLong',
      filters: { loanCodeStatus: ['unknown'], unknownMinutes: [30, null] },
      sort: 'requestTime',
    },
    { label: 'afterLoan.failed', filters: { loanCodeStatus: ['failed'] } },
    { label: 'afterLoan.toConfirm', filters: { confirmStatus: 'first_confirmed' }, counted: true },
    { label: 'afterLoan.reversing', filters: { loanCodeStatus: ['reversing'] } },
    { label: 'afterLoan.waitsForApproval', filters: { waitsForApproval: true } },
    { label: 'afterLoan.paidToday', filters: { loanCodeStatus: ['success'], finishTime: 'today' } },
  ],
  columns: [
    'loanCode',
    'orderNo',
    'customerName',
    'actualLoanAmount',
    'loanCodeStatus',
    'waitReason',
    'failType',
    'requestTime',
    'walletAccount',
  ],
  more: [
    'payoutSubtype',
    'serialNo',
    'phone',
    'thirdOrderNo',
    'merchantName',
    'productName',
    'loanKind',
    'loanAmount',
    'bankName',
    'bankCardNo',
    'cardholderName',
    'verifyResult',
    'channel',
    'fundAccountName',
    'unknownMinutes',
    'attemptNo',
    'failReason',
    'confirmStatus',
    'confirmerName',
    'confirmTime',
    'auditTime',
    'finishTime',
  ],
  row: act => [
    ...repair(act),
    act(loan.release, {
      label: 'actions.releaseListed',
      ask: ['reason'],
      confirm: 'afterLoan.confirmReleaseListed',
    }),
    act(loan.query, {
      label: 'actions.askNow',
      confirm: 'afterLoan.confirmAsk',
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
    { label: 'actions.correctPayee', needs: loan.userInfo, dialog: CorrectPayeeDialog },
    act(loan.recreate, { label: 'actions.recreateCode', confirm: 'afterLoan.confirmRecreate' }),
    act(loan.allowReWithdraw, { label: 'actions.allowReWithdraw', confirm: 'afterLoan.confirmReWithdraw' }),
    verify(act),
    act(loan.markChecked, {
      label: 'actions.markChecked',
      ask: ['evidence'],
      confirm: rows => ({
        key: 'afterLoan.confirmMarkChecked',
        params: {
          account: rows[0]?.bankCardNo ?? rows[0]?.walletAccount ?? '',
          name: rows[0]?.cardholderName ?? '',
        },
      }),
      done: 'afterLoan.sentForApproval',
    }),
    act(loan.cancelPaid, {
      label: 'actions.cancelPaid',
      tone: 'danger',
      ask: ['reason'],
      confirm: 'afterLoan.confirmCancelPaid',
      done: 'afterLoan.sentForApproval',
    }),
    act(recon.unblock, {
      label: 'actions.unblock',
      ask: ['reason'],
      confirm: 'afterLoan.confirmUnblock',
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
  also: [
    loan.summary,
    loan.detail,
    attach.list,
    loan.userInfo,
    upload.token,
    upload.file,
    ...approvalCalls,
    ...logCalls,
  ],
  refresh: 15_000,
})
