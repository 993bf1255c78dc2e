import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { onEachEngine } from '../databases.ts'
import { tablesHash } from './tables.ts'

onEachEngine('the hash of the tables', open => {
  it('tells which table changed, and is the same again once the change is undone', async () => {
    const db = await open()
    const before = await tablesHash(db)
    const named = async () =>
      Object.entries(await tablesHash(db)).flatMap(([name, hash]) => (hash === before[name] ? [] : name))
    expect(await named()).toEqual([])
    await db.withTx(tx => tx.exec(sql`insert into company values ('C1', 'Nile Credit')`))
    expect(await named()).toEqual(['company'])
    await db.withTx(tx => tx.exec(sql`update company set company_name = 'Nile' where company_code = 'C1'`))
    expect(await named()).toEqual(['company'])
    await db.withTx(tx => tx.exec(sql`delete from company`))
    expect(await named()).toEqual([])
  })

  it('does not see what was rolled back, and sees what commits later than something else', async () => {
    const db = await open()
    const before = await tablesHash(db)
    const broken = db.withTx(async tx => {
      await tx.exec(sql`insert into company values ('C1', 'Nile Credit')`)
      throw new Error('not now')
    })
    await expect(broken).rejects.toThrow('not now')
    expect(await tablesHash(db)).toEqual(before)
    if (db.kind === 'pglite') return
    await db.withTx(async tx => {
      await tx.exec(sql`insert into company values ('C1', 'Nile Credit')`)
      expect(await tablesHash(db)).toEqual(before)
    })
    expect((await tablesHash(db)).company).not.toBe(before.company)
  })
})
