import { contract } from '../../../../core/contract/contract.ts'
import { facts } from '../../../testing/facts.ts'

const { dept } = contract

export default facts({
  calls: [{ call: dept.tree, about: 'departments are ours, whatever the merchant' }],
})
