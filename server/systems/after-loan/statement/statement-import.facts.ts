import { contract } from '../../../../core/contract/contract.ts'
import { addDays, eatDate } from '../../../../core/rules/time.ts'
import { inTurn, rowsAndVersions } from '../../../../tests/races/resource.ts'
import { fresh } from '../../../testing/acts.ts'
import { type Fixture, facts } from '../../../testing/facts.ts'

const { recon } = contract
const about = 'is about an account, seen by those who see every merchant that it serves'

/** An account, and days that are over. */
const closed = { fundAccountNo: 'FA1', fromDate: '2026-02-02', toDate: '2026-02-03' }

const yesterday = (fixture: Fixture) => addDays(eatDate(fixture.clock.now()), -1)
const tableOf = (fixture: Fixture) =>
  Buffer.from(`serialNo,entryTime,amount,runningBalance\n${fresh('XT')},${yesterday(fixture)} 09:00,5000,1005000\n`)

/** A file of yesterday with one payment, as people bring it. */
const given = async (fixture: Fixture, bytes: Buffer, as = fixture.boss) => ({
  fundAccountNo: 'FA1',
  uploadNo: await fixture.uploaded(as, { purpose: 'statement', fileName: 'statement.csv', bytes }),
  fromDate: yesterday(fixture),
  toDate: yesterday(fixture),
})

export default facts({
  beginnings: [{ call: recon.import, input: fixture => given(fixture, tableOf(fixture)) }],
  calls: [
    { call: recon.import, about, needs: () => closed },
    { call: recon.importCheck, about, needs: () => closed },
    { call: recon.importTemplate, about: 'is the same table for everybody' },
  ],
  races: [
    {
      name: 'the bytes of a statement that is brought',
      rule: 'H7: the same file of an account is asked about',
      available: 1,
      async make(fixture) {
        const bytes = tableOf(fixture)
        const people = [fixture.boss, fixture.second]
        const inputs = await inTurn(people, as => given(fixture, bytes, as))
        return { tries: inputs.map((input, i) => () => fixture.call(recon.import, input, { as: people[i]! })) }
      },
      at: /pg_advisory_xact_lock/,
      kept: {
        by: [...rowsAndVersions, [/pg_advisory_xact_lock\(hashtextextended\((\$1), 0\)\)/, '$1::text']],
        alsoBy: 'lines of a statement and the comparison of a day are there once: the second file breaks off',
      },
    },
  ],
})
