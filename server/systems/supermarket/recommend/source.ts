import { type RawBuilder, sql } from 'kysely'
import { contract } from '../../../../core/contract/contract.ts'
import type { Tx } from '../../../db/database.ts'
import { listed, type Reader } from '../../../lists/listed.ts'
import { lastWeek, weekColumns } from '../product/source.ts'
import { recommendBlocks } from './blocks.ts'

const { recommend } = contract
type Frag = RawBuilder<unknown>

/** Days before its end from which a recommendation is marked. */
const nearDays = 3

const nameOf = (column: string): Frag =>
  sql`(select u.real_name from app_user u where u.user_no = ${sql.ref(`r.${column}`)})`

/** Whether recommendation `r` runs now. */
export const running = (tx: Tx): Frag =>
  sql`(r.product_status = 'online' and r.start_time <= ${tx.now} and r.end_time > ${tx.now})`

const warning = (tx: Tx): Frag => sql`(case when r.product_status <> 'online' then null
  when r.end_time <= ${tx.now} then 'over' when p.product_status <> 'online' then 'product_offline'
  when r.end_time <= ${new Date(tx.now.getTime() + nearDays * 86_400_000)} then 'end_near' end)`

/** Recommendations `r` as staff see them. */
export const recommendSource = ({ tx }: Reader) => ({
  from: sql`market_recommend r`,
  alias: 'r',
  key: sql`r.recommend_no`,
  where: sql`true`,
  joins: {
    p: sql`join market_product p on p.market_product_no = r.market_product_no join supermarket_platform f on f.platform_no = p.platform_no`,
    ...lastWeek(tx, alias => sql`${sql.ref(`${alias}.recommend_no`)} = r.recommend_no`),
  },
  columns: {
    marketProductName: sql`p.market_product_name`,
    platformName: sql`f.platform_name`,
    marketStatus: sql`p.product_status`,
    amountMax: sql`p.amount_max`,
    appCodes: sql`p.app_codes`,
    ...weekColumns,
    recommendWarning: warning(tx),
    submitterName: nameOf('submitted_by'),
    operatorName: nameOf('operated_by'),
  },
})

/** The list of recommendations. */
export const recommendList = listed({
  list: recommend.page,
  source: at => ({
    ...recommendSource(at),
    filters: {
      recommendName: (text: string) => sql`position(lower(${text}) in lower(r.recommend_name)) > 0`,
      appCode: (app: string) => sql`${app} = any(p.app_codes)`,
      running: (is: boolean) => sql`${running(at.tx)} = ${is}`,
      waiting: (mine: boolean) =>
        mine ? sql`(r.product_status = 'submitted' and r.submitted_by <> ${at.session.userNo})` : null,
    },
  }),
  blocked: recommendBlocks,
})
