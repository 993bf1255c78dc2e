import 'mkopo/react'
import type { MkopoEvents } from 'mkopo'
import { useRef } from 'react'

const opened = ({ detail }: CustomEvent<MkopoEvents['mkopo-row-open']>) => detail.id

export const App = ({ token }: { token: string }) => {
  const widget = useRef<HTMLElementTagNameMap['mkopo-order-order-detail']>(null)
  return (
    <>
      <mkopo-audit-my-audit
        token={token}
        language="en"
        theme="dark"
        className="wide"
        filters={{ orderStatus: ['auditing'] }}
        fetchToken={async () => 'token'}
        onmkopo-row-open={opened}
        onmkopo-token-expired={event => event.detail.reason === 'revoked'}
      />
      <mkopo-order-order-detail ref={widget} orderNo="LO1" from="MyAudit" />
      <mkopo-phone masked="256***789" onmkopo-reveal={event => event.preventDefault()} />
      {/* @ts-expect-error: a theme is light or dark */}
      <mkopo-audit-my-audit theme="pink" />
      {/* @ts-expect-error: no such event detail */}
      <mkopo-audit-my-audit onmkopo-ready={event => event.detail.speed} />
    </>
  )
}
