import { contract } from '../../../../core/contract/contract.ts'
import { facts } from '../../../testing/facts.ts'

const { receipt } = contract
const needs = ({ made }: { made: Readonly<Record<string, string>> }) => ({ repaymentNo: made.repaymentNo ?? '' })
const about = 'a letter of a loan that is settled; asked for out of reach in the test of the noun'

export default facts({
  calls: [
    { call: receipt.receipt, needs },
    { call: receipt.receiptFile, needs },
    { call: receipt.clearance, about },
    { call: receipt.clearanceFile, about },
  ],
})
