import { contract, endpoints } from '../../core/contract/contract.ts'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { routeOf } from '../../core/contract/routes.ts'
import { widgetCalls } from '../../core/contract/widget-calls.gen.ts'

const { user, embed, common } = contract

/** What the engine asks for in every element, whichever screen it draws. */
const always: readonly Endpoint[] = [
  user.self,
  user.stepUp,
  embed.refresh,
  common.reveal,
  common.merchants,
  common.products,
  common.people,
  common.fundAccounts,
  common.refuseReasons,
]
const byName = new Map(endpoints.map(({ name, endpoint }) => [name, endpoint]))

/** Whether a call is an element's: its screen declares it, or it stands under a code of its page. */
const belongs = (tag: string, endpoint: Endpoint): boolean => {
  const { perm, actions = [] } = routeOf(tag) ?? {}
  const asked = [endpoint.perm, ...(endpoint.anyPerm ?? [])]
  return (
    asked.some(code => code !== undefined && (code === perm || actions.includes(code))) ||
    (widgetCalls[tag]?.some(name => byName.get(name) === endpoint) ?? false)
  )
}

/** Whether elements make a call; a token of theirs is good for nothing else. */
export const covers = (widgets: readonly string[], endpoint: Endpoint): boolean =>
  always.includes(endpoint) || widgets.some(tag => belongs(tag, endpoint))

/** Every command that moves or forgives money, by its audit name. */
export const moneyCommands: ReadonlySet<string> = new Set(
  endpoints.flatMap(({ endpoint: { money, audit } }) => (money && audit ? [audit] : [])),
)

/** Whether a grant that names these commands on money lets an endpoint be called; one that concerns no money needs no name. */
export const isNamed = (named: readonly string[], { money, audit = '' }: Endpoint): boolean =>
  !money || named.includes(audit)

/** Signing in stays in the console. */
export const isEmbeddable = (tag: string): boolean => tag !== 'mkopo-portal-login' && routeOf(tag) !== undefined

/** People, rights, logs and other tokens are closed to a partner's page, whatever its grant says. */
export const isGrantable = (perm: string): boolean => !/^(embed|user|dept|role|menu|log):/.test(perm)
