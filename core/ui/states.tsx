import type { ReactNode } from 'react'
import { useHost } from '../element/context.ts'
import { bootText } from '../i18n/boot.ts'
import { Button, Flex, Skeleton, Text } from './basics.ts'
import { Icon } from './icons.tsx'

/** Nothing to show: why, and what to do next. */
export const Empty = ({ title, hint, action }: { title: ReactNode; hint?: ReactNode; action?: ReactNode }) => (
  <Flex direction="column" align="center" justify="center" gap="2" className="mk-state">
    <Text weight="medium">{title}</Text>
    {hint && (
      <Text size="2" color="gray">
        {hint}
      </Text>
    )}
    {action}
  </Flex>
)

/** What went wrong, and the way to try again or what else helps. */
export const Failed = ({
  message,
  action,
  onRetry,
  onReload,
}: {
  message: ReactNode
  action?: ReactNode
  onRetry?: () => void
  /** Reloads the whole page; only the console offers it. */
  onReload?: (() => void) | undefined
}) => (
  <Flex direction="column" align="center" justify="center" gap="3" className="mk-state" role="alert">
    <Flex align="center" gap="2">
      <span className="mk-state-mark">
        <Icon name="warning" size={18} />
      </span>
      <Text weight="medium">{message}</Text>
    </Flex>
    {action}
    {(onRetry || onReload) && (
      <Flex gap="2">
        {onRetry && <RetryButton onClick={onRetry} />}
        {onReload && <ReloadButton onClick={onReload} />}
      </Flex>
    )}
  </Flex>
)

/** The same above what was read before and stays in sight. */
export const FailedBar = ({
  message,
  action,
  onRetry,
}: {
  message: ReactNode
  action?: ReactNode
  onRetry?: () => void
}) => (
  <Flex align="center" gap="3" className="mk-failed" role="alert">
    <span className="mk-state-mark">
      <Icon name="warning" />
    </span>
    <Text size="2">{message}</Text>
    {action}
    {onRetry && <RetryButton onClick={onRetry} />}
  </Flex>
)

const ReloadButton = ({ onClick }: { onClick: () => void }) => (
  <Button variant="soft" color="gray" onClick={onClick}>
    {bootText(useHost().props.language, 'reload')}
  </Button>
)

const RetryButton = ({ onClick }: { onClick: () => void }) => (
  <Button variant="soft" color="gray" onClick={onClick}>
    <Icon name="refresh" />
    {bootText(useHost().props.language, 'retry')}
  </Button>
)

/** The shape of a list while it loads: a line of filters and rows. */
export const Loading = ({ rows = 8 }: { rows?: number }) => (
  <div className="mk-loading" aria-busy="true" aria-label={bootText(useHost().props.language, 'loading')} role="status">
    <Flex gap="2">
      <Skeleton width="180px" height="30px" />
      <Skeleton width="180px" height="30px" />
      <Skeleton width="96px" height="30px" />
    </Flex>
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
      <Skeleton key={row} height="20px" />
    ))}
  </div>
)
