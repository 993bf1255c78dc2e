import type { Tx } from '../db/database.ts'
import { checkVersion, notFound } from '../http/fault.ts'
import type { ApprovalAction } from '../module.ts'
import type { Actor } from '../rights/actor.ts'
import type { Acting, Item, Values } from './config-hooks.ts'
import type { ConfigParts } from './item-commands.ts'

/** What happens when a second person agrees to a change. */
export const itemApprovals = ({
  config,
  store: { lockAny },
  writes: { write, turn },
}: ConfigParts): ApprovalAction[] => {
  const { name } = config
  /** Does what a second person has agreed to, unless the item has changed since it was asked. */
  const executed = (
    event: 'save' | 'state',
    act: (at: Acting, item: Item, payload: Values, maker: Actor) => Promise<unknown>,
  ) => ({
    action: `${name}.${event}`,
    perm: config.codes[event === 'save' ? 'save' : 'enable'],
    money: config.money !== undefined,
    async execute(tx: Tx, o: { objectNo: string; payload: Values; maker: Actor; checker: Actor }) {
      const item = await lockAny(tx, o.objectNo)
      if (!item) throw notFound()
      checkVersion(item, Number(o.payload.version))
      await act({ tx, actor: o.checker }, item, o.payload, o.maker)
    },
  })
  return config.checked
    ? [
        ...(config.checked === true
          ? [executed('save', (at, item, { form }, maker) => write(at, item, form as Values, maker))]
          : []),
        executed('state', (at, item, { enabled }, maker) => turn(at, item, enabled ? 'enabled' : 'disabled', maker)),
      ]
    : []
}
