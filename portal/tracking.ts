import { trackingPath } from '../core/contract/tracking.ts'

type Stay = { page: 'OrderDetail' | 'OrderAudit'; from: string; orderNo: string }

const measured: Record<string, string> = {
  'OrderDetail MyAudit': 'my_audit_order_no',
  'OrderAudit MyAudit': 'my_audit_handle',
  'OrderDetail MyCollection': 'collection_merge_order_no',
  'OrderDetail MyCollectionNew': 'my_collection_new_order_no',
}
const fallback = { OrderDetail: 'order_detail', OrderAudit: 'order_audit' }

/** The event of a page and where it was opened from; only measured ones have an enter. */
export const eventOf = ({ page, from }: Pick<Stay, 'page' | 'from'>) => {
  const eventId = measured[`${page} ${from}`]
  return { eventId: eventId ?? fallback[page], entered: eventId !== undefined }
}

/** Tells that a page was entered or left. Nothing depends on it: errors are ignored and nobody waits. */
export const track = (type: 'enter' | 'exit', stay: Stay, token: string | null, version: string) => {
  const payload = {
    eventId: eventOf(stay).eventId,
    eventType: 'view',
    pageName: stay.page,
    systemCode: 'loans_web',
    timeZone: 'Africa/Kampala',
    orderNo: stay.orderNo,
    type,
    token: token ?? '',
    isLogin: token !== null,
    appId: 'loans.web.system',
    appName: 'mkopo',
    os: navigator.platform.slice(0, 80),
    channel: 'web',
    deviceModel: navigator.userAgent.slice(0, 200),
    appVersion: version,
    country: 'UGA',
  }
  fetch(trackingPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(payload),
    keepalive: true,
  }).catch(() => undefined)
}
