import { randomUUID } from 'node:crypto'
import { marketEvents } from '../../../core/contract/supermarket/platform.ts'
import { isFresh, isSignature, signatureOf } from '../../http/defence/signature.ts'
import { type Call, error, header, jsonOf, type Reply, type Route } from '../network/http.ts'
import { formPage, listPage } from './page.ts'
import { type Manner, manners, type Visit } from './visit.ts'

export type SiteOptions = {
  /** What the console knows this partner by, and the key that it was shown once. */
  platformNo: string
  key: string
  /** Where the forms of this partner are opened: `https://host`, one of those that the platform lists. */
  publicUrl: string
  /** Sends a message to the console; answers what it heard. */
  send: (body: string, headers: Readonly<Record<string, string>>) => Promise<string>
  /** How long a late message waits, in milliseconds. */
  lateMs: number
}

const isEvent = (event: string | null): event is (typeof marketEvents.values)[number] =>
  (marketEvents.values as readonly (string | null)[]).includes(event)
const isManner = (manner: string | null): manner is Manner => (manners as readonly (string | null)[]).includes(manner)

/** The console signs what fills in a form as this partner signs its messages. */
const isSigned = (call: Call, key: string): boolean => {
  const [timestamp, signature] = [header(call, 'x-timestamp') ?? '', header(call, 'x-signature') ?? '']
  return isSignature(signature, signatureOf(key, timestamp, call.body)) && isFresh(timestamp, Date.now())
}

const html = (text: string): Reply => ({ status: 200, text, type: 'text/html; charset=utf-8' })
const backTo = (): Reply => html('<meta http-equiv="refresh" content="0;url=/">')

/** A partner's site: takes customers over, shows what it was given, and says what became of them. */
export const partnerSite = ({ platformNo, key, publicUrl, send, lateMs }: SiteOptions): readonly Route[] => {
  const visits = new Map<string, Visit>()
  const visit = (clickId: string, by: Visit['by'], known: Partial<Visit> = {}): Visit => {
    const there = visits.get(clickId)
    const come: Visit = there ?? {
      clickId,
      at: new Date().toISOString(),
      by,
      consentVersion: null,
      customer: {},
      said: [],
    }
    const now = { ...come, ...known }
    visits.set(clickId, now)
    return now
  }
  const say = async (to: Visit, event: string, manner: Manner, amount: string | null) => {
    const body = JSON.stringify({
      platformNo,
      eventId: randomUUID(),
      clickId: to.clickId,
      marketEvent: event,
      ...(amount ? { amount } : {}),
    })
    if (manner === 'late') await new Promise(resolve => setTimeout(resolve, lateMs))
    for (let n = 0; n < (manner === 'twice' ? 2 : 1); n++) {
      const timestamp = String(Date.now())
      const signature = signatureOf(manner === 'wrong_key' ? `not ${key}` : key, timestamp, body)
      const headers = { 'content-type': 'application/json', 'x-timestamp': timestamp, 'x-signature': signature }
      const answer = await send(body, headers).catch((failed: unknown) => String(failed))
      to.said.push({ event, manner, answer })
    }
  }

  return [
    ['GET', /^\/$/, () => html(listPage({ platformNo, visits: [...visits.values()].reverse() }))],
    // A link of a product: the number of the click comes along, and nothing of the person.
    [
      'GET',
      /^\/apply$/,
      ({ query }) => {
        const clickId = query.get('clickId')
        return clickId ? html(formPage(visit(clickId, 'link'))) : error(400, 'NO_CLICK', 'clickId is missing')
      },
    ],
    ['GET', /^\/form\/([\w-]{1,64})$/, (_, [clickId = '']) => html(formPage(visit(clickId, 'link')))],
    [
      'POST',
      /^\/prefill$/,
      call => {
        if (!isSigned(call, key)) return error(401, 'SIGNATURE', 'The signature is wrong or old')
        const { clickId, consentVersion, customer } = jsonOf(call) ?? {}
        if (typeof clickId !== 'string' || !/^[\w-]{1,64}$/.test(clickId))
          return error(400, 'NO_CLICK', 'clickId is missing')
        visit(clickId, 'prefill', {
          by: 'prefill',
          consentVersion: Number(consentVersion),
          customer: (customer ?? {}) as Visit['customer'],
        })
        return { status: 200, body: { sessionLink: `${publicUrl}/form/${clickId}` } }
      },
    ],
    [
      'POST',
      /^\/say$/,
      async ({ body }) => {
        const given = new URLSearchParams(body)
        const [to, event, manner] = [visits.get(given.get('clickId') ?? ''), given.get('event'), given.get('manner')]
        if (!to || !isEvent(event) || !isManner(manner))
          return error(400, 'WRONG', 'A click, an event and a manner are needed')
        const done = say(to, event, manner, event === 'payout' ? (given.get('amount') ?? '100000.00') : null)
        if (manner !== 'late') await done
        return backTo()
      },
    ],
  ]
}
