import { type BankLine, RechargeRow, recharge } from '../../../core/contract/merchant/recharge.ts'
import { Ask } from '../../../core/engine/form/ask.tsx'

type Props = { line: BankLine; names: readonly string[]; close: (changed?: boolean) => void }

/** A payment of the bank becomes a top-up: its line fills in what it says. */
export const BookLine = ({ line, names, close }: Props) => (
  <Ask
    action={{
      run: recharge.submit,
      label: 'recharge.submit',
      ask: names,
      from: () => ({
        fundAccountNo: line.fundAccountNo,
        rechargeAmount: line.amount,
        serialNo: line.serialNo,
        bankEntryTime: line.entryTime,
        ...(line.payerName ? { payerName: line.payerName } : {}),
        ...(line.merchantNo ? { merchantNo: line.merchantNo } : {}),
      }),
      input: () => ({}),
      confirm: 'recharge.confirmSubmit',
    }}
    rows={[{ ...line }]}
    rowKey="lineNo"
    fields={RechargeRow}
    stale={() => undefined}
    close={close}
  />
)
