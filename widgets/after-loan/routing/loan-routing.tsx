import { tabbed } from '../../../core/engine/list/tabbed.tsx'
import channels from './channel-list.tsx'
import routes from './route-list.tsx'

/** The finance lead says by which account each payout leaves, and stops a channel that misbehaves. */
export default tabbed([
  { name: 'routes', label: 'loanRoute.routes', screen: routes },
  { name: 'channels', label: 'loanRoute.channels', screen: channels },
])
