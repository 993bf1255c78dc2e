import type { Tx } from '../../db/database.ts'
import { writeFinance } from '../finance/finance.ts'
import { writeAcquireRules } from '../merchant/acquire-rules.ts'
import { writeMerchantConfigs } from '../merchant/configs.ts'
import { writeConsumption } from '../merchant/consumption.ts'
import { writeRecharges } from '../merchant/recharges.ts'
import { writeMarketingTexts } from '../messages/marketing-texts.ts'
import { writeMessageCenter } from '../messages/message-center.ts'
import { writeMessageNodes } from '../messages/messages.ts'
import { writeSmsRoutes } from '../messages/sms-routes.ts'
import { writeActivities } from '../offers/activities.ts'
import { writeChannels } from '../offers/channels.ts'
import { writeCoupons } from '../offers/coupon-issues.ts'
import { writeServiceCoupons } from '../offers/service-coupons.ts'
import { writeTempQuotas } from '../offers/temp-quotas.ts'
import { writeTrafficPeople } from '../offers/traffic-people.ts'
import { writeAppContents } from './app-contents.ts'
import { writeAppInvites } from './app-invites.ts'
import { writeAppVersions } from './app-versions.ts'
import { writeHotlines } from './hotlines.ts'
import { writeMaturity } from './maturity.ts'
import { writeMerchants } from './merchants.ts'
import { writeReReviews } from './re-reviews.ts'
import { writeRetrievals } from './retrievals.ts'
import { writeSensitiveWords } from './sensitive-words.ts'
import { writeSupermarket } from './supermarket.ts'
import { writeVerifications } from './verifications.ts'

/** What the operations office keeps: words, contacts, merchants, due dates and what finance has set up. */
export const writeMaster = async (tx: Tx): Promise<void> => {
  await writeSensitiveWords(tx)
  await writeHotlines(tx)
  await writeAppVersions(tx)
  await writeAppContents(tx)
  await writeMerchants(tx)
  await writeMaturity(tx)
  await writeMessageNodes(tx)
  await writeMessageCenter(tx)
  await writeSmsRoutes(tx)
  await writeMarketingTexts(tx)
  await writeReReviews(tx)
  await writeRetrievals(tx)
  await writeSupermarket(tx)
  await writeFinance(tx)
  await writeRecharges(tx)
  await writeConsumption(tx)
  await writeMerchantConfigs(tx)
  await writeAcquireRules(tx)
  await writeVerifications(tx)
  await writeCoupons(tx)
  await writeServiceCoupons(tx)
  await writeTempQuotas(tx)
  await writeChannels(tx)
  await writeTrafficPeople(tx)
  await writeActivities(tx)
  await writeAppInvites(tx)
}
