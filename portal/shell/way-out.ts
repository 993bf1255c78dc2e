import { useClient } from '../../core/client/providers.tsx'
import { user } from '../../core/contract/user/user.ts'
import { useText } from '../../core/element/i18n.ts'

type Link = { menuNo: string; externalUrl: string }

/** The address of a partner's page as the menu opens it: its own query, who comes, in which words, and where from. */
export const leadingOut = (
  externalUrl: string,
  given: { code: string; language: string; redirect: string },
): string => {
  const url = new URL(externalUrl)
  const { code, language, redirect } = given
  for (const [name, value] of Object.entries({ token: code, language, country: 'UGA', redirect }))
    url.searchParams.set(name, value)
  return url.href
}

/** Opens an external link of the menu in a new tab, with a one-time code in the place of a token. */
export const useWayOut = () => {
  const client = useClient()
  const { language } = useText()
  return async ({ menuNo, externalUrl }: Link) => {
    // The tab is opened by the press itself: a browser refuses one that comes later.
    const tab = window.open('about:blank', '_blank')
    if (!tab) return
    tab.opener = null
    try {
      const { code } = await client.call(user.handoff, { menuNo })
      tab.location.replace(leadingOut(externalUrl, { code, language, redirect: location.origin }))
    } catch {
      tab.close()
    }
  }
}
