import { trackingPath } from '../contract/portal/tracking.ts'
import { version } from '../element/version.ts'

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

type Who = {
  /** The token at the time of the call. */
  token: () => string | null
  /** Where the tracking server is, when it is not the console's own. */
  base?: string | undefined
}

/** Reports that a page was entered or left, without waiting; errors are ignored. */
const track = (type: 'enter' | 'exit', stay: Stay, { token: now, base }: Who) => {
  const token = now()
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
  if (base) {
    // Plain text needs no CORS preflight; the answer is not read.
    const address = `${base.replace(/\/$/, '')}${trackingPath}`
    fetch(address, { method: 'POST', mode: 'no-cors', credentials: 'omit', body, keepalive: true }).catch(
      () => undefined,
    )
    return
  }
  // A page that is closing may send nothing but a beacon; the token is in what it carries, so it needs no header.
  if (type === 'exit' && navigator.sendBeacon?.(trackingPath, new Blob([body], { type: 'application/json' }))) return
  fetch(trackingPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    keepalive: true,
  }).catch(() => undefined)
}

/** Tells that a page was entered, where that is measured. Answers what tells once that it was left; closing the tab tells it too. */
export const enterPage = (stay: Stay, who: Who): (() => void) => {
  let left = false
  const leave = () => {
    if (left) return
    left = true
    window.removeEventListener('pagehide', leave)
    track('exit', stay, who)
  }
  if (eventOf(stay).entered) track('enter', stay, who)
  window.addEventListener('pagehide', leave)
  return leave
}
