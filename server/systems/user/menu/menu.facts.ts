import { contract } from '../../../../core/contract/contract.ts'
import { facts } from '../../../testing/facts.ts'

const { menu } = contract

export default facts({
  records: [{ fields: ['menuNo', 'beforeNo'], table: 'menu', key: 'menu_no' }],
  calls: Object.values(menu).map(call => ({ call, about: 'the menu is ours, whatever the merchant' })),
})
