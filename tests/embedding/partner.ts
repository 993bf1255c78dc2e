import { sql } from 'kysely'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Page as Example, openBackEnd } from '../../examples/back-end.ts'
import { addPartner, type Grant } from '../../server/embed/grant.ts'
import type { Person } from '../../server/testing/kit.ts'
import { openConsole } from '../portal/console.ts'

const clientId = 'test-partner'
const secret = 'a-key-of-the-test-that-is-long-enough'

/** The console, and on another origin the back end of a partner with its pages. */
export const openPartnerSite = async (grant: Partial<Grant> = {}) => {
  const at = await openConsole()
  const partner = { console: at.url, clientId, secret }
  const site = await openBackEnd(partner, 0)
  const codes = await at.fixture.rows(
    sql<{ perms: string }>`select distinct perms from menu where menu_type = 'button'`,
  )
  await at.fixture.db.withTx(tx =>
    addPartner(
      tx,
      {
        partnerNo: 'PG1',
        partnerName: 'Kampala CRM',
        clientId,
        origins: [site.url],
        widgets: [
          'mkopo-audit-my-audit',
          'mkopo-audit-order-management',
          'mkopo-order-order-detail',
          'mkopo-after-loan-loan-management',
          'mkopo-after-loan-repayment-management',
        ],
        perms: [...codes.map(code => code.perms), 'pii:reveal:phone'],
        merchantNos: ['M1', 'M2'],
        ...grant,
      },
      secret,
    ),
  )

  /** Somebody with these pages, under the login that the back end of the examples knows. */
  const staff = async (loginId: string, pages: readonly string[]): Promise<Person> => {
    const person = await at.staff(pages, { sensitive: ['pii:reveal:phone', 'pii:unmask'] })
    await at.fixture.exec(sql`update app_user set login_id = login_id || '.' || user_no where login_id = ${loginId}`)
    await at.fixture.exec(sql`update app_user set login_id = ${loginId} where user_no = ${person.userNo}`)
    return person
  }

  /** A tab on a page of the partner; with `html` it is that one. */
  const open = async (browser: Browser, address: string, html?: string): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width: 1400, height: 900 },
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', error => expect.unreachable(error.message))
    await page.goto(site.url + address)
    if (html !== undefined)
      await page.setContent(
        `<!doctype html><html lang="en"><meta charset="utf-8"><script type="module" src="${at.url}/lib/mkopo.js"></script>${html}</html>`,
      )
    return page
  }

  /** A token as the back end of the partner gives it to one of its pages. */
  const tokenFor = async (example: Example): Promise<string> =>
    (await fetch(`${site.url}/token/${example}`, { method: 'POST' })).text()

  return {
    ...at,
    partner,
    site: site.url,
    staff,
    open,
    tokenFor,
    close: async () => {
      site.close()
      await at.close()
    },
  }
}
export type PartnerSite = Awaited<ReturnType<typeof openPartnerSite>>
