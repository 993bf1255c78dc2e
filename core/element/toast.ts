import { dispatch, type ToastDetail } from './events.ts'

/** Shows a message in the page's one toast region. */
export const showToast = (detail: ToastDetail) =>
  void import('./leaves/mkopo-toast.ts').then(leaf => leaf.toastRegion().show(detail))

/** Offers a message to the page first, and shows it unless a listener took it. */
export const toast = (from: EventTarget, detail: ToastDetail) => {
  if (dispatch(from, 'mkopo-toast', detail)) showToast(detail)
}
