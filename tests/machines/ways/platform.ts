import { createHash, randomBytes } from 'node:crypto'
import { contract } from '../../../core/contract/contract.ts'
import { chunkHeaders } from '../../../core/contract/upload.ts'
import { eatDateTime } from '../../../core/rules/time.ts'
import { chunkBytes } from '../../../core/rules/upload.ts'
import { system } from '../../../server/actor.ts'
import { mfaSealer } from '../../../server/modules/mfa-store.ts'
import { paid } from '../../../server/modules/payout-fixture.ts'
import { openPartner } from '../../../server/testing/embedding.ts'
import { hotp, stepAt } from '../../../server/totp.ts'
import { create, transition } from '../../../server/transition.ts'
import type { House } from '../../contract/house.ts'
import { calls, done, fresh, type Way, way } from './way.ts'

const { embed, exports, imports, leave, loan, upload, user } = contract

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

type Sent = { orderNo: string; loanCode: string }

/** A file of released orders, half an hour after they were sent. */
const brought = async (house: House, codes: readonly Sent[]) => {
  await house.pass(31)
  const lines = codes.map(
    ({ loanCode, orderNo }) => `${loanCode},${orderNo},success,SN-${loanCode},${eatDateTime(house.clock.now())}\n`,
  )
  const bytes = Buffer.from(`loanCode,orderNo,result,serialNo,payoutTime\n${lines.join('')}`)
  const uploadNo = await house.uploaded(house.boss, { purpose: 'import', fileName: 'released.csv', bytes })
  const importNo = String((await done(house, loan.page.importing!.command, { uploadNo })).importNo)
  await house.worker.drain()
  return importNo
}

/** What is in a file was decided otherwise before somebody confirms the file. */
const confirmedLate = async (house: House, codes: readonly Sent[]) => {
  const importNo = await brought(house, codes)
  const { loanCode } = codes[0]!
  const { walletAccount: payee } = (await house.rowOf('loanCode', loanCode)) as unknown as { walletAccount: string }
  house.network.queries.push(paid({ payee, serialNo: fresh('CB') }))
  await calls(house, { externalId: `${loanCode}-1`, status: fresh('S'), payee })
  await done(house, imports.confirm, { importNo, version: await house.versionOf('importJob', importNo) })
  await house.worker.drain()
}

/** The authenticator of the first person, bound as a sign-in will do it. */
const bound = async (house: House): Promise<Buffer> => {
  const [secret, userNo, actor] = [randomBytes(20), house.boss.userNo, system('fixture')]
  const sealedSecret = mfaSealer(house.secretKey).seal(secret, userNo)
  await house.db.withTx(async tx => {
    await create(tx, 'mfa', { userNo }, { event: 'user.add' }, actor)
    const unbound = { userNo, mfaStatus: 'unbound', version: 0 }
    const binding = await transition(tx, 'mfa', unbound, { event: 'bind.start', set: { sealedSecret } }, actor)
    await transition(tx, 'mfa', binding, { event: 'bind.confirm', as: 'right' }, actor)
  })
  return secret
}

/** What every system shares: files, requests, tokens, proofs. */
export const platformWays: readonly Way[] = [
  way('leave is rejected, and approved leave is cancelled', async house => {
    const [no, kept] = [await house.leaveAsked(house.second), await house.leaveAsked(house.second)]
    await done(house, leave.audit, { leaveNo: no, version: 0, result: 'reject', auditRemark: 'too many are away' })
    await done(house, leave.audit, { leaveNo: kept, version: 0, result: 'approve' })
    await done(house, leave.cancel, { leaveNo: kept, version: 1 }, house.second)
  }),
  way('a request is over after three days', async house => {
    await house.requested()
    await house.pass(73 * 60)
    await house.tick('approval.expire')
  }),
  way('an export is fetched, and gone after its time', async house => {
    const exportNo = await house.exported()
    await house.worker.drain()
    await done(house, exports.file, { exportNo })
    await house.pass(90 * 1440)
    await house.tick('export.expiry')
  }),
  way('a file comes in pieces', async house => {
    const pieces = [randomBytes(chunkBytes), randomBytes(1)]
    const bytes = Buffer.concat(pieces)
    const file = { purpose: 'attachment', fileName: 'long.pdf', size: bytes.length, sha256: sha256(bytes) }
    const { uploadNo, token } = (await done(house, upload.token, file)) as { uploadNo: string; token: string }
    for (const [chunkNo, piece] of pieces.entries()) {
      const headers = { [chunkHeaders.token]: token, [chunkHeaders.sha256]: sha256(piece) }
      house.must(await house.call(upload.chunk, { uploadNo, chunkNo }, { as: house.boss, bytes: piece, headers }))
    }
  }),
  way('a file that is not what it says is refused, and what nobody used is thrown away', async house => {
    const wrong = { fileName: 'a.pdf', bytes: Buffer.from('no document'), purpose: 'attachment' } as const
    await house.ask(upload.complete, { uploadNo: await house.receiving(house.boss, wrong) }, { as: house.boss })
    await house.uploaded()
    await house.receiving()
    const begun = { purpose: 'attachment', fileName: 'b.pdf', size: 100, sha256: '0'.repeat(64) }
    await done(house, upload.token, begun)
    await house.pass(30 * 1440)
    await house.tick('upload.gc')
  }),
  way('an import is cancelled before it was read', async house => {
    const uploadNo = await house.released()
    const { importNo } = await done(house, loan.page.importing!.command, { uploadNo })
    await done(house, imports.cancel, { importNo, version: 0 })
  }),
  way('imports come too late for some of their rows, and for all', async house => {
    await confirmedLate(house, [await house.sent(), await house.sent()])
    await confirmedLate(house, [await house.sent()])
  }),
  way('a partner’s page has a token, renews it and loses it', async house => {
    const partner = await openPartner(house)
    const page = await partner.page(house.boss)
    house.clock.advance(14 * 60_000)
    house.must(await house.call(embed.refresh, {}, page))
    await partner.page(house.second)
    await done(house, embed.revoke, { partnerNo: 'PG1', userNo: house.second.userNo })
    await house.pass(60)
    await house.tick('embed-expire')
  }),
  way('a person shows the code of an authenticator', async house => {
    const secret = await bound(house)
    await done(house, user.stepUp, { code: hotp(secret, stepAt(house.clock.now())) })
  }),
]
