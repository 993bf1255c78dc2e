import { contract } from '../../../core/contract/contract.ts'
import { merchants } from '../world.ts'
import type { FinanceDesk } from './desk.ts'

const { autoCancel, autoWriteOff } = contract
const [first, second] = merchants

/** How long approved loans wait, and what receipts may miss: for all merchants, and otherwise for some. */
export const writeRules = async ({ call, agree }: FinanceDesk): Promise<void> => {
  for (const rule of [
    { pendingHours: 72, failedHours: 72, reWithdrawalHours: 24 },
    { merchantNo: first.merchantNo, pendingHours: 24, failedHours: 48, reWithdrawalHours: 24 },
  ]) {
    const { key } = await call(autoCancel.save, rule as never)
    await call(autoCancel.state, { configNo: key, enabled: true, version: 0 } as never)
  }
  const limits = {
    shortfallLimit: '500.00',
    principalLimit: '200.00',
    overflowLimit: '20000.00',
    autoPartial: true,
    autoExtension: true,
  }
  for (const [merchantNo, shortfallLimit] of [
    [first.merchantNo, '500.00'],
    [second.merchantNo, '1000.00'],
  ] as const) {
    const { key } = await call(autoWriteOff.save, { ...limits, merchantNo, shortfallLimit } as never)
    const asked = await call(autoWriteOff.state, { configNo: key, enabled: true, version: 0 } as never)
    if (merchantNo === first.merchantNo) await agree(asked.approvalNo)
  }
}
