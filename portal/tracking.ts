import { trackingPath } from '../core/contract/tracking.ts'

/** A case workbench is entered when it is opened and left when it is closed, inside of its list. */
type Stay = { page: 'OrderDetail' | 'OrderAudit' | 'CaseWorkbench'; from: string; orderNo: string }

const measured: Record<string, string> = {
  'OrderDetail MyAudit': 'my_audit_order_no',
  'OrderAudit MyAudit': 'my_audit_handle',
  'OrderDetail MyCollection': 'collection_merge_order_no',
  'OrderDetail MyCollectionNew': 'my_collection_new_order_no',
  'CaseWorkbench MyCollection': 'collection_merge_case_handle',
  'CaseWorkbench MyCollectionNew': 'my_collection_new_case_handle',
}
const fallback = { OrderDetail: 'order_detail', OrderAudit: 'order_audit', CaseWorkbench: 'case_workbench' }

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
  const body = JSON.stringify(payload)
  // A page that is closing may send nothing but a beacon; the token is in what it carries, so it needs no header.
  if (type === 'exit' && navigator.sendBeacon?.(trackingPath, new Blob([body], { type: 'application/json' }))) return
  fetch(trackingPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    keepalive: true,
  }).catch(() => undefined)
}
