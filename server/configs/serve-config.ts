import type { Config } from '../../core/contract/config.ts'
import type { Served } from '../http/serve.ts'
import { serveListed } from '../lists/listed.ts'
import type { ConfigHooks, Item } from './config-hooks.ts'
import { itemApprovals } from './item-approvals.ts'
import { saveCommands, stateCommands } from './item-commands.ts'
import { itemList, itemReads } from './item-pages.ts'
import { itemStore } from './item-store.ts'
import { itemMaker, itemWrites } from './item-writes.ts'
import { serveVersions } from './versions.ts'

/** The handlers of a config list, its list for totals and exports, and what an import of its rows calls. */
export const serveConfig = (config: Config, given: ConfigHooks) => {
  const store = itemStore(config, given)
  const writes = itemWrites(config, given)
  const { lock, lockAny, lockToChange, seenNo } = store
  const versions =
    given.versions &&
    serveVersions(config, given.versions, {
      lock,
      lockAny,
      lockToChange,
      seen: seenNo,
      touch: (tx, item, actor, by) => writes.move({ tx, actor }, item as Item, 'item.update', {}, by),
      mayChange: (at, item) => given.mayChange?.(at, item) ?? null,
    })
  const add = itemMaker({ config, given, store, writes, ...(versions ? { versions } : {}) })
  const parts = { config, given, store, writes, add }
  const page = itemList(parts)
  return {
    served: [
      serveListed(page),
      ...itemReads(parts, page),
      ...saveCommands(parts),
      ...stateCommands(parts),
      ...(versions?.served ?? []),
    ] as Served[],
    lists: [page],
    approvals: [...itemApprovals(parts), ...(versions?.approvals ?? [])],
    scheduled: versions ? [versions.job, ...(versions.emergency ? [versions.emergency.job] : [])] : [],
    warnings: versions ? [versions.warning] : [],
    /** Makes one item, as an import does. */
    add,
    /** How items are locked within the data rule and changed by commands of the noun, and how the safe side is put in force. */
    lock,
    touch: writes.move,
    emergency: versions?.emergency,
  }
}
