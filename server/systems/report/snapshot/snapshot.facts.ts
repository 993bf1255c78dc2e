import { facts } from '../../../testing/facts.ts'

export default facts({
  unguarded: { 'order_day.order_status': 'what was known of an order on a day, written once' },
})
