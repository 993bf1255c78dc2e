import { readdirSync } from 'node:fs'
import type { Endpoint } from '../../core/contract/endpoint.ts'
import type { CallFacts, Facts, ListFacts, MachineFacts } from './facts.ts'

const server = new URL('..', import.meta.url)
const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.facts.ts'))
const read = async (file: string) => ((await import(new URL(file, server).href)) as { default: Facts }).default
const every = await Promise.all(files.sort().map(read))

const gathered = <K extends Exclude<keyof Facts, 'machines' | 'around' | 'unguarded'>>(name: K) =>
  every.flatMap((one): readonly unknown[] => one[name] ?? []) as unknown as Required<Facts>[K]

/** All that the nouns say of themselves. */
export const all = {
  machines: Object.assign({}, ...every.map(one => one.machines ?? {})) as Record<string, MachineFacts>,
  around: every.flatMap(one => one.around ?? []),
  unguarded: Object.assign({}, ...every.map(one => one.unguarded ?? {})) as Record<string, string>,
  commands: gathered('commands'),
  beginnings: gathered('beginnings'),
  ways: gathered('ways'),
  approvals: gathered('approvals'),
  lists: gathered('lists'),
  records: gathered('records'),
  calls: gathered('calls'),
  races: gathered('races'),
}

const byCall = new Map(all.calls.map(one => [one.call, one]))
/** What is said of a call; nothing where its declaration says it all. */
export const ofCall = (call: Endpoint): Partial<CallFacts> => byCall.get(call) ?? {}

const byList = new Map<unknown, ListFacts>(all.lists.map(one => [one.list, one]))
/** @throws where the noun of the list says nothing of it */
export const ofList = (list: Endpoint): ListFacts => {
  const found = byList.get(list)
  if (!found) throw new Error(`no facts of the list ${list.path}: name its key in the facts of its noun`)
  return found
}
