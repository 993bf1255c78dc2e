import { sql } from 'kysely'
import { contract, endpoints } from '../../../core/contract/contract.ts'
import type { Importing, ListEndpoint } from '../../../core/contract/endpoint.ts'
import { eatDateTime } from '../../../core/rules/time.ts'
import { inTurn, rowsAndVersions } from '../../../tests/races/resource.ts'
import { paid } from '../../systems/after-loan/payout/payout-fixture.ts'
import { calls, done, fresh } from '../../testing/acts.ts'
import { at, copied, prefixed } from '../../testing/copies.ts'
import { type Fixture, facts, type Made, way } from '../../testing/facts.ts'

const { imports, loan } = contract
const byRow = 'the code is that of the list that the file was brought for; the server asks for it row by row'
let drawn = 0

const waiting = async (fixture: Fixture): Promise<Made> => {
  const importNo = await fixture.brought({ minutes: 31 })
  return { no: importNo, input: { importNo, version: await fixture.versionOf('importJob', importNo) } }
}

type Sent = { orderNo: string; loanCode: string }

/** A file of released orders, half an hour after they were sent. */
const brought = async (fixture: Fixture, codes: readonly Sent[]) => {
  await fixture.pass(31)
  const lines = codes.map(
    ({ loanCode, orderNo }) => `${loanCode},${orderNo},success,SN-${loanCode},${eatDateTime(fixture.clock.now())}\n`,
  )
  const bytes = Buffer.from(`loanCode,orderNo,result,serialNo,payoutTime\n${lines.join('')}`)
  const uploadNo = await fixture.uploaded(fixture.boss, { purpose: 'import', fileName: 'released.csv', bytes })
  const importNo = String((await done(fixture, loan.page.importing!.command, { uploadNo })).importNo)
  await fixture.worker.drain()
  return importNo
}

/** What is in a file was decided otherwise before somebody confirms the file. */
const confirmedLate = async (fixture: Fixture, codes: readonly Sent[]) => {
  const importNo = await brought(fixture, codes)
  const { loanCode } = codes[0]!
  const { walletAccount: payee } = (await fixture.rowOf('loanCode', loanCode)) as unknown as { walletAccount: string }
  fixture.network.queries.push(paid({ payee, serialNo: fresh('CB') }))
  await calls(fixture, { externalId: `${loanCode}-1`, status: fresh('S'), payee })
  await done(fixture, imports.confirm, { importNo, version: await fixture.versionOf('importJob', importNo) })
  await fixture.worker.drain()
}

/** The same bytes, sent by several people. */
const sameFile = (fixture: Fixture, people: readonly Fixture['boss'][], bytes: Buffer) =>
  inTurn(people, as => fixture.uploaded(as, { purpose: 'import', fileName: 'released.csv', bytes }))

/** A person has three imports under way at a time: what other examples left waiting is given up. */
const givenUp = async (fixture: Fixture) => {
  await fixture.worker.drain()
  const left = await fixture.rows(sql<{ importNo: string; version: number }>`
    select import_no, version from import_job where user_no = ${fixture.boss.userNo} and import_status = 'preview'`)
  for (const input of left) await done(fixture, imports.cancel, input)
}

/** A file with the row that the template shows. */
const exampleOf = async (fixture: Fixture, { as, example }: Importing) => {
  await givenUp(fixture)
  const bytes = Buffer.from(`${Object.keys(example).join()}\n${Object.values(example).join()}\n`)
  return { uploadNo: await fixture.uploaded(fixture.boss, { purpose: 'import', fileName: `${as}.csv`, bytes }) }
}

export default facts({
  machines: {
    importJob: {
      row: {
        importNo: 'IM1',
        userNo: 'U1',
        importList: 'releasedOrders',
        importFormat: 'csv',
        uploadNo: 'UP1',
        fileName: 'released.csv',
        sha256: 'hash',
        language: 'en',
        fileId: 'file-1',
        requestTime: '2026-03-02T07:00:00Z',
      },
      undriven: {
        'nothing changes, and it is not written down': ['running worker.crash running'],
      },
    },
  },
  unguarded: { 'import_row.row_status': 'an import, row by row' },
  beginnings: endpoints.flatMap(({ endpoint }) => {
    const { importing } = endpoint as Partial<ListEndpoint>
    return importing ? [{ call: importing.command, input: (fixture: Fixture) => exampleOf(fixture, importing) }] : []
  }),
  commands: [
    {
      call: imports.confirm,
      make: waiting,
    },
    {
      call: imports.cancel,
      make: waiting,
      race: { alsoBy: 'its file is given back once: the second finds none that belongs to it' },
    },
  ],
  ways: [
    way('an import is cancelled before it was read', async fixture => {
      await givenUp(fixture)
      const uploadNo = await fixture.released()
      const { importNo } = await done(fixture, loan.page.importing!.command, { uploadNo })
      await done(fixture, imports.cancel, { importNo, version: 0 })
    }),
    way('imports come too late for some of their rows, and for all', async fixture => {
      await givenUp(fixture)
      await confirmedLate(fixture, [await fixture.sent(), await fixture.sent()])
      await confirmedLate(fixture, [await fixture.sent()])
    }),
  ],
  lists: [
    {
      list: imports.page,
      key: 'importNo',
      of: 'person',
      fill: async fixture => {
        const importNo = await fixture.brought()
        const changes = `jsonb_build_object(${prefixed('import_no', 'file_id')}, ${at('request_time')}, 'import_status', 'cancelled')`
        await copied(fixture, 'import_job', `import_no = '${importNo}'`, changes)
      },
    },
  ],
  records: [
    {
      fields: ['importNo'],
      table: 'import_job',
      key: 'import_no',
      make: (fixture, merchantNo) => fixture.brought({ merchantNo }),
    },
  ],
  calls: [
    { call: imports.confirm, otherPerm: byRow },
    { call: imports.cancel, otherPerm: byRow },
  ],
  races: [
    {
      name: 'the bytes of a file that is brought',
      rule: 'H7: the same file twice in a day is asked about',
      available: 1,
      async make(fixture) {
        const bytes = Buffer.from(
          `loanCode,orderNo,result,serialNo,payoutTime\nLC${++drawn},LO1,success,SN1,2026-03-02 09:00:00\n`,
        )
        const people = [fixture.boss, fixture.second]
        const files = await sameFile(fixture, people, bytes)
        return {
          tries: files.map(
            (uploadNo, i) => () => fixture.call(loan.page.importing!.command, { uploadNo }, { as: people[i]! }),
          ),
          after: () => fixture.worker.drain().then(() => undefined),
        }
      },
      at: /pg_advisory_xact_lock/,
      kept: {
        by: [...rowsAndVersions, [/pg_advisory_xact_lock\(hashtextextended\((\$1), 0\)\)/, '$1::text']],
        at: /from import_job i join app_user u/,
      },
    },
  ],
})
