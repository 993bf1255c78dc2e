import { sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import { done } from '../../../testing/acts.ts'
import { at, copied, prefixed } from '../../../testing/copies.ts'
import { type Fixture, facts, way } from '../../../testing/facts.ts'
import { enforceCap } from '../../risk/legal-cap/cap-fixture.ts'
import { productTerms } from './product-fixture.ts'

const { common } = contract

type Version = { versionNo: string; version: number }
const newest = (fixture: Fixture, productNo: string) =>
  fixture.one(sql<Version>`
    select version_no, version from product_version where product_no = ${productNo} order by created_time desc, version_no desc limit 1`)

let made = 0

/** What is stated of the products of a track. */
const tracked = (track: 'case' | 'stage') => {
  const calls = (track === 'case' ? contract.product : contract.productNew) as typeof contract.product
  const [name, path] = track === 'case' ? ['product', '/productRate/'] : ['productNew', '/productRate/stage/']
  const terms = (change = {}) => productTerms({ ...(track === 'stage' ? { installmentCount: 2 } : {}), ...change })
  const added = async (fixture: Fixture, merchantNo = 'M1'): Promise<string> => {
    const input = { productName: `${track} ${++made}`, merchantNo, ...terms() }
    return String((await done(fixture, calls.save, input)).key)
  }
  const submit = async (fixture: Fixture, productNo: string, days = 0): Promise<string> => {
    const { versionNo, version } = await newest(fixture, productNo)
    const effectiveTime = new Date(fixture.clock.now().getTime() + days * 86_400_000).toISOString()
    const input = { versionNo, version, reason: 'as agreed', ...(days ? { effectiveTime } : {}) }
    return String((await done(fixture, calls.versionSubmit, input)).approvalNo)
  }
  const saved = async (fixture: Fixture, productNo: string) => {
    const { versionNo, version } = await newest(fixture, productNo)
    await done(fixture, calls.versionSave, { productNo, versionNo, version, ...terms({ interestRateDay: '0.06' }) })
  }
  const inForce = async (fixture: Fixture): Promise<string> => {
    const productNo = await added(fixture)
    await fixture.agree(await submit(fixture, productNo))
    return productNo
  }
  const turned = async (fixture: Fixture): Promise<string> => {
    const productNo = await inForce(fixture)
    const { version } = await fixture.one(
      sql<{ version: number }>`select version from product where product_no = ${productNo}`,
    )
    return String((await done(fixture, calls.state, { productNo, enabled: true, version })).approvalNo)
  }
  return {
    approvals: [
      { action: `${name}.version`, ask: async (fixture: Fixture) => submit(fixture, await added(fixture)) },
      { action: `${name}.state`, ask: turned },
    ],
    lists: [
      {
        list: calls.page,
        key: 'productNo',
        fill: async (fixture: Fixture) => {
          const productNo = await added(fixture)
          const changes = `jsonb_build_object(${prefixed('product_no', 'product_name')}, ${at('updated_time')}, 'enabled', (array['enabled', 'disabled'])[1 + n % 2])`
          await copied(fixture, 'product', `product_no = '${productNo}'`, changes)
        },
        // Nothing waits here.
        means: { waiting: (_: unknown, mine: boolean) => !mine },
      },
    ],
    records: [
      {
        fields: ['productNo'],
        under: path,
        table: 'product',
        key: 'product_no',
        make: added,
        owners: sql`select product_no as no, merchant_no, null::text[] as holders from product where track = ${track}`,
        unheld: true as const,
      },
      {
        fields: ['versionNo'],
        under: path,
        table: 'product_version',
        key: 'version_no',
        make: async (fixture: Fixture, merchantNo: string) =>
          (await newest(fixture, await added(fixture, merchantNo))).versionNo,
        owners: sql`
          select v.version_no as no, p.merchant_no, null::text[] as holders from product_version v join product p using (product_no) where p.track = ${track}`,
        unheld: true as const,
      },
    ],
    ways: [
      way(
        `a ${track} product version is sent back, taken back and changed until it is in force at once`,
        async fixture => {
          const productNo = await added(fixture)
          const refused = await submit(fixture, productNo)
          await done(fixture, common.reject, { approvalNo: refused, version: 0, reason: 'too dear' }, fixture.second)
          await saved(fixture, productNo)
          await saved(fixture, productNo)
          const withdrawn = await submit(fixture, productNo)
          await done(fixture, common.withdraw, { approvalNo: withdrawn, version: 0 })
          await submit(fixture, productNo)
          await fixture.pass(73 * 60)
          await fixture.tick('approval.expire')
          await fixture.agree(await submit(fixture, productNo))
          await done(fixture, calls.versionSave, { productNo, ...terms({ interestRateDay: '0.05' }) })
          await fixture.agree(await submit(fixture, productNo))
        },
      ),
      way(`a ${track} product version is scheduled and cancelled`, async fixture => {
        const productNo = await added(fixture)
        await fixture.agree(await submit(fixture, productNo, 1))
        const { versionNo, version } = await newest(fixture, productNo)
        await done(fixture, calls.versionCancel, { versionNo, version, reason: 'not needed' }, fixture.second)
      }),
      way(`a ${track} product version starts by the clock once no cap forbids it`, async fixture => {
        const productNo = await added(fixture)
        await fixture.agree(await submit(fixture, productNo, 1))
        await enforceCap(fixture, 'interest_month', { capValue: '2', capMode: 'enforce' })
        await fixture.pass(25 * 60)
        await fixture.tick(`${name}.start`)
        await enforceCap(fixture, 'interest_month', { capValue: '2', capMode: 'off' })
        await fixture.tick(`${name}.start`)
      }),
    ],
    calls: [
      { call: calls.save, about: 'a new product; its merchant is asked for within reach in the test of the noun' },
      { call: calls.copy, needs: () => ({ merchantNos: ['M1'], productName: `copied ${++made}` }) },
      { call: calls.preview, about: 'computes with what it is given' },
    ],
  }
}
const [single, several] = [tracked('case'), tracked('stage')]

// The longer path first: the other one begins like it.
export default facts({
  approvals: [...single.approvals, ...several.approvals],
  lists: [...single.lists, ...several.lists],
  records: [...several.records, ...single.records],
  ways: [...single.ways, ...several.ways],
  calls: [...single.calls, ...several.calls],
})
