import { sql } from 'kysely'
import { checkVersion, notFound } from '../http/fault.ts'
import type { ApprovalAction } from '../module.ts'
import { transition } from '../states/transition.ts'
import type { starting } from './version-start.ts'
import type { Stored, VersionParts } from './version-store.ts'

type Payload = { versionNo: string; version: number }

/** Which request a version is sent as, and under which code: an ordinary one, or one that asks for more. */
export const requestsOf = ({ config, given }: Pick<VersionParts, 'config' | 'given'>) => ({
  plain: { action: `${config.name}.version`, perm: config.codes.save },
  ...(given.stricter ? { strict: { action: `${config.name}.versionStrict`, perm: given.stricter.perm } } : {}),
})

/** What happens to a version when a second person agrees, or nobody does. */
export const versionApproval = (
  { items, store: { machine, table, lockBoth, once, checkHolds } }: VersionParts,
  start: ReturnType<typeof starting>,
  { action, perm }: Pick<ApprovalAction, 'action' | 'perm'>,
): ApprovalAction => ({
  action,
  perm,
  money: false,
  async execute(tx, { payload, maker, checker }) {
    const { versionNo, version } = payload as Payload
    const { item, row } = await lockBoth(tx, versionNo, async no => {
      const item = await items.lockAny(tx, no)
      if (!item) throw notFound()
      return item
    })
    checkVersion(row, version)
    await checkHolds(tx, item, row.content)
    const decided = { checkerNo: checker.no, checkerName: checker.name }
    const at = new Date(String(row.effectiveTime))
    const event = 'version.approve'
    if (at.getTime() <= tx.now.getTime())
      return start(tx, { item, row, event, as: 'now', at: tx.now }, decided, checker, maker)
    await once(() => transition(tx, machine, row, { event, as: 'later', set: decided }, checker))
  },
  async drop(tx, { payload, how, by }) {
    const { versionNo } = payload as Payload
    const row = await tx.one(sql<Stored>`select * from ${table} where version_no = ${versionNo} for update`)
    if (row.versionStatus !== 'pending') return
    const move =
      how === 'rejected'
        ? { event: 'version.reject', set: { checkerNo: by.no, checkerName: by.name } }
        : { event: 'version.withdraw', as: how === 'withdrawn' ? 'person' : 'system' }
    await transition(tx, machine, row, move, by)
  },
})
