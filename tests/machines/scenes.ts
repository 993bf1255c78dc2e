import { contract } from '../../core/contract/contract.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { refused } from '../../server/modules/payout-fixture.ts'
import type { Person } from '../../server/testing/kit.ts'
import type { House } from '../contract/house.ts'
import type { Input } from '../contract/inputs.ts'
import { blocked, contradicted, lossOf, settled, unblocking, unlike } from './ways/recon.ts'

const { audit, loan, recon, repay, common, exports, imports, upload, attach, leave } = contract

/** A record in a state from which the command succeeds: its number in its machine, and what the command is asked with. */
export type Made = { no: string; input: Input; as?: Person }
export type Scene = { endpoint: Endpoint; make: (house: House) => Promise<Made> }

const newWallet = '256772888777'
const remark = { reason: 'wrong customer' }

const pending = async (house: House, as: Person): Promise<Made> => {
  const { approvalNo } = await house.requested()
  return { no: approvalNo, input: { approvalNo, version: 0 }, as }
}

const lease = async (house: House) => {
  const { orderNo, auditTaskNo, leaseToken } = await house.opened()
  return { no: auditTaskNo, input: { orderNo, leaseToken } }
}

const ofCode = async (house: House, loanCode: string, more: Input = {}): Promise<Made> => ({
  no: loanCode,
  input: { loanCode, version: await house.versionOf('loanCode', loanCode), ...more },
})
const ofCodes = (loanCode: string, more: Input = {}): Made => ({
  no: loanCode,
  input: { loanCodes: [loanCode], ...more },
})

const failed = (house: House, failType: 'payee_invalid' | 'other' = 'payee_invalid') =>
  house.sent('M1', refused(failType))

const payee = async (house: House, loanCode: string) => {
  const { cardholderName } = (await house.rowOf('loanCode', loanCode)) as unknown as { cardholderName: string }
  house.network.holders.set(newWallet, cardholderName)
  return { payoutSubtype: 'mtn', walletAccount: newWallet, cardholderName }
}

/** An order of which a hundred shillings are left. */
const nearlySettled = async (house: House): Promise<string> => {
  const { orderNo } = await house.disbursed()
  const { settleAmount } = house.must(
    await house.call(repay.trial, { orderNo, repayType: 'settle', flows: [] }, { as: house.boss }),
  ) as { settleAmount: string }
  const most = (Number(settleAmount) - 100).toFixed(2)
  house.must(await house.call(repay.commit, await house.tried(house.typed(orderNo, most)), { as: house.boss }))
  return orderNo
}

const brought = async (house: House): Promise<Made> => {
  const importNo = await house.brought({ minutes: 31 })
  return { no: importNo, input: { importNo, version: await house.versionOf('importJob', importNo) } }
}

/** One scene for each command of staff that fires an event on a record that is there. */
export const scenes: Scene[] = [
  { endpoint: common.approve, make: house => pending(house, house.second) },
  {
    endpoint: common.reject,
    make: async house => {
      const { input, ...rest } = await pending(house, house.second)
      return { ...rest, input: { ...input, reason: 'not so' } }
    },
  },
  {
    endpoint: exports.retry,
    make: async house => {
      const exportNo = await house.exported()
      const version = await house.versionOf('exportJob', exportNo)
      house.must(await house.call(exports.cancel, { exportNo, version }, { as: house.boss }))
      return { no: exportNo, input: { exportNo, version: await house.versionOf('exportJob', exportNo) } }
    },
  },
  {
    endpoint: upload.complete,
    make: async house => {
      const no = await house.receiving()
      return { no, input: { uploadNo: no } }
    },
  },
  {
    endpoint: attach.save,
    make: async house => {
      const [no, objectNo] = [await house.uploaded(), await house.queueUp()]
      return { no, input: { uploadNo: no, objectType: 'order', objectNo, attachType: 'income' } }
    },
  },
  {
    endpoint: attach.remove,
    make: async house => {
      const no = await house.attached(await house.queueUp())
      return { no, input: { uploadNo: no } }
    },
  },
  { endpoint: imports.confirm, make: brought },
  { endpoint: imports.cancel, make: brought },
  {
    endpoint: leave.audit,
    make: async house => {
      const no = await house.leaveAsked(house.second)
      return { no, input: { leaveNo: no, version: 0, result: 'approve' } }
    },
  },
  {
    endpoint: leave.cancel,
    make: async house => {
      const no = await house.leaveAsked()
      return { no, input: { leaveNo: no, version: 0 } }
    },
  },
  {
    endpoint: recon.explain,
    make: async house => {
      const no = await contradicted(house)
      return { no, input: { reconItemNo: no, version: 0, reconCause: 'channel_error', remark: 'asked' } }
    },
  },
  {
    endpoint: recon.adjust,
    make: async house => {
      const { reconItemNo: no } = await blocked(house)
      return { no, input: await lossOf(house, no) }
    },
  },
  {
    endpoint: recon.match,
    make: async house => {
      const { lineNo, journalNo } = await unlike(house)
      return { no: lineNo, input: { lineNos: [lineNo], journalNos: [journalNo] } }
    },
  },
  {
    endpoint: recon.unblock,
    make: async house => {
      const no = await settled(house)
      return { no, input: await unblocking(house, no) }
    },
  },
  { endpoint: common.withdraw, make: house => pending(house, house.boss) },
  {
    endpoint: audit.allot,
    make: async house => {
      const no = await house.queueUp()
      const { userNo } = await house.reviewer({ perms: [], merchants: ['M2', 'M1'] })
      return { no, input: { orderNos: [no], auditorNos: [userNo] } }
    },
  },
  {
    endpoint: audit.unallot,
    make: async house => {
      const no = await house.allotted()
      return { no, input: { orderNos: [no] } }
    },
  },
  {
    endpoint: audit.open,
    make: async house => {
      const orderNo = await house.allotted()
      const { auditTaskNo } = await house.taskOf(orderNo)
      return { no: auditTaskNo, input: { orderNo } }
    },
  },
  { endpoint: audit.heartbeat, make: lease },
  {
    endpoint: audit.draft,
    make: async house => {
      const { no, input } = await lease(house)
      return { no, input: { ...input, draft: { remark: 'calm voice' } } }
    },
  },
  {
    endpoint: audit.submit,
    make: async house => {
      const { no, input } = await lease(house)
      return { no, input: await house.decision(input.orderNo, input.leaseToken) }
    },
  },
  {
    endpoint: audit.changePayout,
    make: async house => {
      const { input } = await lease(house)
      const to = {
        payoutType: 'wallet',
        payoutSubtype: 'mtn',
        walletAccount: newWallet,
        cardholderName: 'Grace Nakato',
      }
      return { no: input.orderNo, input: { ...input, ...to } }
    },
  },
  {
    endpoint: audit.cancel,
    make: async house => {
      const no = await house.allotted()
      return { no, input: { orderNo: no, version: await house.versionOf('order', no), reason: 'customer_withdrew' } }
    },
  },
  {
    endpoint: loan.cancel,
    make: async house => ofCodes((await house.approved()).loanCode, { reason: 'customer_withdrew' }),
  },
  { endpoint: loan.retry, make: async house => ofCodes((await failed(house, 'other')).loanCode) },
  {
    endpoint: loan.userInfo,
    make: async house => {
      const { loanCode } = await failed(house)
      return ofCode(house, loanCode, await payee(house, loanCode))
    },
  },
  {
    endpoint: loan.recreate,
    make: async house => {
      const { loanCode } = await failed(house)
      const { input } = await ofCode(house, loanCode, await payee(house, loanCode))
      house.must(await house.call(loan.userInfo, input as never, { as: house.boss }))
      return ofCode(house, loanCode)
    },
  },
  {
    endpoint: loan.allowReWithdraw,
    make: async house => {
      const { orderNo } = await failed(house)
      return { no: orderNo, input: { orderNo, version: await house.versionOf('order', orderNo) } }
    },
  },
  {
    endpoint: loan.channel,
    make: async house => ofCodes((await house.approved()).loanCode, { fundAccountNo: 'FA1' }),
  },
  {
    endpoint: loan.confirm,
    make: async house => {
      const { loanCode } = await house.sent()
      await house.pass(31)
      const statementDate = house.clock.now().toISOString().slice(0, 10)
      const { no, input } = await ofCode(house, loanCode, {
        result: 'success',
        serialNo: `MP-${loanCode}`,
        statementDate,
      })
      const first = { ...input, evidence: await house.uploaded(house.second) }
      house.must(await house.call(loan.confirm, first as never, { as: house.second }))
      const version = await house.versionOf('loanCode', loanCode)
      return { no, input: { ...input, version, evidence: await house.uploaded() } }
    },
  },
  { endpoint: loan.cancelPaid, make: async house => ofCode(house, (await house.disbursed()).loanCode, remark) },
  {
    endpoint: loan.abortCancelPaid,
    make: async house => {
      const { loanCode, approvalNo } = await house.requested()
      await house.agree(approvalNo)
      return ofCode(house, loanCode)
    },
  },
  {
    endpoint: repay.commit,
    make: async house => {
      const { orderNo } = await house.disbursed()
      return { no: orderNo, input: await house.tried(house.typed(orderNo, '250000.00', 'settle')) }
    },
  },
  {
    endpoint: repay.zeroSettle,
    make: async house => {
      const no = await nearlySettled(house)
      const { list } = house.must(await house.call(repay.zeroPreview, { orderNos: [no] }, { as: house.boss })) as {
        list: { trialKey: string }[]
      }
      return { no, input: { orderNos: [no], trialKeys: list.map(row => row.trialKey) } }
    },
  },
  {
    endpoint: repay.reuseOverflow,
    make: async house => {
      const earlier = await house.repaid('M1', '250000.00', 'settle')
      const { orderNo } = await house.disbursed('M1', earlier.orderNo)
      const input = { orderNo, version: await house.versionOf('order', orderNo), amount: '1000.00' }
      return { no: await house.overpaymentOf(orderNo), input }
    },
  },
  {
    endpoint: repay.rollback,
    make: async house => {
      const { repaymentNo } = await house.repaid()
      return { no: repaymentNo, input: { repaymentNo, version: 0, ...remark } }
    },
  },
  {
    endpoint: repay.flowCommit,
    make: async house => {
      const no = await house.draftFlow()
      return { no, input: { flowNo: no, version: 0 } }
    },
  },
  {
    endpoint: repay.flowDelete,
    make: async house => {
      const no = await house.draftFlow()
      return { no, input: { flowNo: no, version: 0 } }
    },
  },
  {
    endpoint: repay.flowVoid,
    make: async house => {
      const no = await house.receivedFlow()
      return { no, input: { flowNo: no, version: 1, ...remark } }
    },
  },
]
