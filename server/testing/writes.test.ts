import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../../tests/databases.ts'
import { writtenBy } from './writes.ts'

onEachEngine('the detector of writes', open => {
  it('names each table whose rows say something else, and no other', async () => {
    const db = await open()
    const by = (query: ReturnType<typeof sql>) => writtenBy(db, () => db.withTx(tx => tx.exec(query)))
    expect(await writtenBy(db, async () => {})).toEqual([])
    expect(await by(sql`insert into company values ('C1', 'Nile Credit')`)).toEqual(['company'])
    expect(await by(sql`update company set company_name = 'Nile' where company_code = 'C1'`)).toEqual(['company'])
    expect(await by(sql`update company set company_name = 'Nile' where company_code = 'C1'`)).toEqual([])
    expect(await by(sql`update company set company_name = 'Nobody' where company_code = 'C2'`)).toEqual([])
    expect(await by(sql`with gone as (delete from company returning 1) select count(*) from gone`)).toEqual(['company'])
    expect(await by(sql`truncate company cascade`)).toContain('company')
  })

  it('does not see what was rolled back, in whole or to a savepoint', async () => {
    const db = await open()
    const add = sql`insert into company values ('C1', 'Nile Credit')`
    const fail = async () => {
      throw new Error('not now')
    }
    const broken = () => db.withTx(tx => tx.exec(add).then(fail)).catch(() => {})
    expect(await writtenBy(db, broken)).toEqual([])
    const attempted = () => db.withTx(tx => tx.attempt(inner => inner.exec(add).then(fail)).catch(() => {}))
    expect(await writtenBy(db, attempted)).toEqual([])
    expect(await writtenBy(db, () => db.withTx(tx => tx.exec(add)))).toEqual(['company'])
  })

  it('leaves out the tables named in `without`', async () => {
    const db = await open()
    const add = () => db.withTx(tx => tx.exec(sql`insert into company values ('C1', 'Nile Credit')`))
    expect(await writtenBy(db, add, ['company'])).toEqual([])
  })
})
