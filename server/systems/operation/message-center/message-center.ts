import { serveListed } from '../../../lists/listed.ts'
import type { Deps, Module, NetworkHandler } from '../../../module.ts'
import { accountCalls, type OpenVendor, rotateApproval } from './account-calls.ts'
import { accountChoices, accountsConfig, register } from './accounts.ts'
import { apps } from './apps.ts'
import { balanceProbe, vendorBalanceLow } from './balance.ts'
import { carriersOf } from './carriers.ts'
import { sentCalls, sentList } from './sent.ts'

type Given = Pick<Deps, 'vendors' | 'secretKey' | 'demo' | 'lines'>

/** Apps of the message center, the accounts that carry their messages, and what was sent. */
export const messageCenterModule = (deps: Given, open?: OpenVendor): Module => {
  const carriers = carriersOf(deps)
  const configs = [apps, accountsConfig(deps)]
  const probe = balanceProbe(carriers)
  return {
    served: [
      ...configs.flatMap(one => one.served),
      ...accountCalls(deps, carriers, open),
      serveListed(sentList),
      ...sentCalls,
    ],
    lists: [...configs.flatMap(one => one.lists), sentList],
    approvals: [...configs.flatMap(one => one.approvals), rotateApproval],
    scheduled: [...configs.flatMap(one => one.scheduled), register(deps), probe.scheduled],
    queues: deps.vendors ? [probe.queue as unknown as NetworkHandler<never, never>] : [],
    warnings: [...configs.flatMap(one => one.warnings), vendorBalanceLow],
    choices: [accountChoices(deps)],
    outgoing: { carriers },
  }
}
