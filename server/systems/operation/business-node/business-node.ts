import { sql } from 'kysely'
import type { Config, Use } from '../../../../core/contract/config.ts'
import { contract } from '../../../../core/contract/contract.ts'
import { businessNodes } from '../../../../core/contract/operation/business-node.ts'
import { noteChange } from '../../../configs/history.ts'
import { serveConfig } from '../../../configs/serve-config.ts'
import type { Tx } from '../../../db/database.ts'
import { checkVersion, Fault, invalid, notFound } from '../../../http/fault.ts'
import { serve } from '../../../http/serve.ts'
import type { Deps, Module } from '../../../module.ts'
import type { Session } from '../../../session/session.ts'
import { transition } from '../../../states/transition.ts'
import { listValues } from '../../risk/name-list/index.ts'
import type { NodeRecord } from '../message-engine/shared.ts'
import { copyTemplates } from '../message-template/index.ts'
import { nodeReads } from './node-reads.ts'
import { keptEvents, nodeSource } from './node-source.ts'

const { businessNode } = contract

/** What every merchant's customers hear of is set by headquarters. */
const notYours = (session: Session) => (session.headquarters ? null : new Fault('forbidden', 'errors.headquartersOnly'))

const isKept = ({ eventKey, enabled }: { eventKey?: unknown; enabled?: unknown }) =>
  enabled === 'enabled' && keptEvents.includes(String(eventKey))
const keptFault = () => new Fault('stateConflict', 'errors.nodeKept')

const checkApps = async (tx: Tx, appCodes: readonly string[]) => {
  const rows = await tx.rows(sql<{ appName: string }>`select app_name from merchant where deleted_time is null`)
  const known = new Set(rows.map(({ appName }) => appName))
  if (!appCodes.every(app => known.has(app))) throw invalid('appCodes', 'validation.wrongValue')
}

const config = serveConfig(businessNodes as unknown as Config, {
  prefix: 'ND',
  unique: 'pointCode',
  mayChange: ({ session }) => notYours(session),
  async check({ tx }, form, before) {
    await checkApps(tx, form.appCodes as string[])
    if (!before || !isKept(before)) return
    const left = (before.appCodes as string[]).filter(app => !(form.appCodes as string[]).includes(app))
    if (left.length) throw invalid('appCodes', 'errors.nodeKept')
    if (form.contactKind !== 'service') throw invalid('contactKind', 'validation.nodeService')
  },
  fixed: item => (isKept(item) ? keptFault() : null),
  uses: (tx, keys) =>
    tx.rows(sql<Use & { key: string }>`
      select t.node_no as key, 'messageTemplate' as kind, t.template_no as no, t.template_name as name from message_template t
      where t.node_no = any(${[...keys]}) order by t.template_no`),
  source: nodeSource,
})

const lockNode = (tx: Tx, nodeNo: string) =>
  tx.maybe(sql<NodeRecord>`select * from business_node where node_no = ${nodeNo} and deleted_time is null for update`)

/** Changes the apps of a node, with its line in the history. */
const setApps = async (
  call: { tx: Tx; actor: Parameters<typeof transition>[4] },
  node: NodeRecord,
  appCodes: string[],
) => {
  const { tx, actor } = call
  const set = { appCodes, updatedBy: actor.no, updatedTime: tx.now }
  const moved = await transition(tx, businessNodes.machine, node, { event: 'item.update', set }, actor)
  const changes = [{ field: 'appCodes', before: JSON.stringify(node.appCodes), after: JSON.stringify(appCodes) }]
  noteChange(
    tx,
    businessNodes.machine,
    { objectNo: node.nodeNo, version: moved.version, event: 'item.update', changes },
    actor,
  )
  return moved
}

const appState = serve(businessNode.appState, async call => {
  const { tx, session, input } = call
  const { nodeNo, appCode, on } = input
  const node = await lockNode(tx, nodeNo)
  if (!node) throw notFound()
  const refusal = notYours(session)
  if (refusal) throw refusal
  checkVersion(node, input.version)
  await checkApps(tx, [appCode])
  if (!on && isKept(node)) throw keptFault()
  const others = node.appCodes.filter(app => app !== appCode)
  if (on === node.appCodes.includes(appCode)) throw invalid('appCode', 'errors.nothingChanged')
  if (!on && others.length === 0) throw invalid('appCode', 'errors.lastAppOfNode')
  const moved = await setApps(call, node, on ? [...node.appCodes, appCode] : others)
  call.audit({
    objectType: 'business_node',
    objectNo: nodeNo,
    before: { appCodes: node.appCodes },
    after: { appCodes: moved.appCodes },
  })
  return { version: moved.version }
})

const copyToApp = serve(businessNode.copyToApp, async call => {
  const { tx, session, input, actor } = call
  const { fromApp, toApp, withTemplates = false } = input
  const refusal = notYours(session)
  if (refusal) throw refusal
  await checkApps(tx, [fromApp, toApp])
  const nodes = await tx.rows(sql<NodeRecord>`
    select * from business_node where ${fromApp} = any(app_codes) and deleted_time is null order by node_no for update`)
  const fresh = nodes.filter(node => !node.appCodes.includes(toApp))
  for (const node of fresh) await setApps(call, node, [...node.appCodes, toApp])
  const nodeNos = nodes.map(({ nodeNo }) => nodeNo)
  const templates = withTemplates ? await copyTemplates(tx, { nodeNos, fromApp, toApp }, actor) : 0
  const counts = { nodes: fresh.length, templates, existing: nodes.length - fresh.length }
  call.audit({ objectType: 'business_node', objectNo: toApp, after: { fromApp, ...counts } })
  return counts
})

/** Business nodes, and what they would and did send. */
export const businessNodeModule = ({ secretKey }: Partial<Pick<Deps, 'secretKey'>> = {}): Module => ({
  ...config,
  served: [...config.served, ...nodeReads(listValues(secretKey ?? Buffer.alloc(32))), appState, copyToApp],
})
