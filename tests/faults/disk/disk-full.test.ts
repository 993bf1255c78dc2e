import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codes } from '../../../core/contract/codes.ts'
import { contract } from '../../../core/contract/contract.ts'
import { pngOf } from '../../../server/files/uploads/content/made-files.ts'
import { uploadKit } from '../../../server/files/uploads/upload-fixture.ts'
import { hasPostgres } from '../../postgres.ts'
import { type Cluster, openCluster } from '../cluster.ts'
import { type Desk, type Fixture, openFixture } from '../fixture.ts'
import { reconcile } from '../reconcile.ts'
import { staffOf } from '../rounds.ts'
import { canMountMemory, fillDisk, mounted } from './disks.ts'

const why = canMountMemory ? '' : ' (skipped: no disk can be made here)'

describe.skipIf(!canMountMemory || !hasPostgres)(`X9: the disk of PostgreSQL is full${why}`, () => {
  let disk: ReturnType<typeof mounted>
  let cluster: Cluster
  let fixture: Fixture
  beforeAll(async () => {
    disk = mounted('tmpfs', '-o', 'size=220m,mode=777')
    cluster = await openCluster({ directory: disk.directory, more: ['max_wal_size=64MB', 'min_wal_size=32MB'] })
    fixture = await openFixture({ url: await cluster.newDatabase() })
    await fixture.server.start()
  })
  afterAll(async () => {
    await fixture?.close()
    await cluster?.close()
    disk?.close()
  })

  it('commands are refused, nothing half stays, and the service is back when there is room again', async () => {
    const staff = staffOf(fixture, 1)
    const pid = fixture.server.pid()
    const desk = fixture.desks[0] as Desk
    const save = (n: number) => {
      const input = {
        paymentChannel: 'mtn_momo' as const,
        serialNo: `SND${n}`,
        amount: '5000.00',
        entryTime: new Date(Date.now() - 60_000).toISOString(),
        fundAccountNo: 'FA1',
        payerName: 'Nakato Grace of Kampala',
        paymentCode: '7000000001',
      }
      return staff.journal.begin(contract.repay.flowSave, input, {
        as: desk.clerk,
        key: `faults-disk-${String(n).padStart(6, '0')}`,
      })
    }
    for (let n = 0; n < 5; n++) expect((await save(n)).envelope).toMatchObject({ code: 0 })
    const ballast = fillDisk(cluster.data)
    // Pages that are there have room for a while, and so has the log of the database.
    await cluster.query(`select pg_switch_wal()`).catch(() => undefined)
    let refused = 0
    for (let n = 5; n < 4_000 && refused < 5; n++) if (!(await save(n)).envelope) refused++
    expect(refused).toBe(5)
    ballast.free()
    await cluster.start()
    await expect.poll(fixture.server.health, { timeout: 60_000 }).toBe(200)
    for (const call of staff.journal.unknown()) expect(await staff.journal.again(call)).toMatchObject({ code: 0 })
    expect(fixture.server.pid()).toBe(pid)
    expect((await reconcile(fixture, staff.journal)).wrong).toEqual([])
    expect(await fixture.sweep()).toEqual([])
  })
})

describe.skipIf(!canMountMemory)(`X9: the disk of the uploads is full${why}`, () => {
  const disk = canMountMemory ? mounted('tmpfs', '-o', 'size=256k') : undefined
  const at = uploadKit(disk?.directory)
  afterAll(() => disk?.close())

  it('a piece is refused, nothing of it stays, and it is taken when there is room again', async () => {
    const photo = pngOf({ width: 60, height: 40 })
    const ticket = await at.begun(photo)
    const ballast = fillDisk(disk?.directory ?? '')
    const before = readdirSync(disk?.directory ?? '')
    expect([codes.quota, codes.internal]).toContain((await at.put(ticket, 0, photo)).code)
    expect(readdirSync(disk?.directory ?? '')).toEqual(before)
    expect(await at.complete(ticket.uploadNo)).not.toMatchObject({ code: 0 })
    expect(await at.statusOf(ticket.uploadNo)).not.toBe('ready')
    ballast.free()
    await at.putAll(ticket, photo)
    expect(await at.complete(ticket.uploadNo)).toMatchObject({ code: 0 })
    expect(await at.statusOf(ticket.uploadNo)).toBe('ready')
    expect(await at.broken()).toEqual([])
  })
})
