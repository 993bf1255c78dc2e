import { act, openRow, press } from '../act.ts'
import { acted } from '../screen-stories.ts'

export default { title: 'Operations/Activities/At work', tags: ['!autodocs'] }
const tag = 'mkopo-operation-activities-configuration'

/** What customers may do and get, on the first tab of the drawer; then how far they came. */
export const ActivityOpen = acted(tag, act(openRow))
export const FunnelOpen = acted(tag, act(openRow, press('activity.funnel')))
export const Rewards = acted(tag, act(press('activity.awards')))
