import { tabbed } from '../../core/engine/list/tabbed.tsx'
import files from './bank-files.tsx'
import codes from './loan-code-list.tsx'

/** Payout officers see that approved loans leave, find those that hang, repair those that failed, and never pay twice. */
export default tabbed([
  { name: 'codes', label: 'afterLoan.payoutList', screen: codes },
  { name: 'files', label: 'afterLoan.bankFiles', screen: files },
])
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
    { label: 'afterLoan.toConfirm', filters: { confirmStatus: 'first_confirmed' } },
    { label: 'afterLoan.reversing', filters: { loanCodeStatus: ['reversing'] } },
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
