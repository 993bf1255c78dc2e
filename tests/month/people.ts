import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { common } from '../../core/contract/common/common.ts'
import type { Endpoint, InputOf, OutputOf } from '../../core/contract/endpoint.ts'
import type { Person } from '../../server/testing/kit.ts'
import { readyFile } from '../../server/testing/ready-file.ts'
import type { World } from './world.ts'

const acts = [
  'fund:payout:page',
  'fund:payout:retry',
  'fund:payout:cancel',
  'fund:payout:confirm',
  'fund:payout:bankFile',
  'fund:cancelPay',
  'fund:channel:pause',
  'fund:routing:page',
  'fund:recon:page',
  'fund:recon:handle',
  'fund:recon:import',
  'fund:ledger:page',
  'repay:order:page',
  'repay:flow:list',
  'repay:flow:commit',
  'repay:flow:void',
  'postloan:repay:commit',
  'postloan:rollback:full',
  'postloan:rollback:settle',
  'refund:page',
  'refund:submit',
  'refund:audit:page',
  'refund:check',
  'refund:payout',
  'transfer:page',
  'transfer:audit:page',
  'transfer:submit',
  'transfer:audit',
  'transfer:payout',
]

export type Name = 'maker' | 'checker' | 'third'

/** Three people of finance who may do the same, and never decide about what they asked for themselves. */
export const openDesk = async (world: World) => {
  const { kit } = world
  const perms = acts.flatMap(perm => [perm, `${perm}:check`])
  const people: Record<Name, Person> = {
    maker: await kit.person({ perms }),
    checker: await kit.person({ perms }),
    third: await kit.person({ perms }),
  }
  const refusals = new Map<string, number>()

  /** Calls as one of them; what is refused is counted, and answered as null. */
  const act = async <E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    as: Name = 'maker',
  ): Promise<OutputOf<E> | null> => {
    const said = await kit.call(endpoint, input, { as: people[as], key: randomUUID() })
    if (said.code === 0) return said.data
    const name = `${endpoint.path} ${said.code} ${said.msg}`
    refusals.set(name, (refusals.get(name) ?? 0) + 1)
    return null
  }

  return {
    act,
    refusals,
    /** A second person agrees to what was asked. */
    async agreed(asked: { approvalNo: string } | null): Promise<boolean> {
      if (!asked) return false
      return (await act(common.approve, { approvalNo: asked.approvalNo, version: 0 }, 'checker')) !== null
    },
    evidence: (as: Name) => readyFile(kit.db, people[as].userNo),
    rows: <T>(query: ReturnType<typeof sql<T>>) => kit.db.read(tx => tx.rows(query)),
    versionOf: async (
      table: 'loan_code' | 'transfer_apply' | 'client_refund',
      key: string,
      no: string,
    ): Promise<number> =>
      (
        await kit.db.read(tx =>
          tx.one(sql<{ version: number }>`select version from ${sql.table(table)} where ${sql.ref(key)} = ${no}`),
        )
      ).version,
  }
}
export type Desk = Awaited<ReturnType<typeof openDesk>>
