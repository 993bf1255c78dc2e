import { megabyte } from '../../../core/rules/upload.ts'
import { Flex, Text } from '../../../core/ui/basics.ts'
import { CopyIcon } from '../../../core/ui/copy-icon.tsx'

/** How far a version is rolled out, as a bar with its number. */
export const Rollout = ({ percent }: { percent: number | null }) =>
  percent === null ? (
    <Text color="gray">–</Text>
  ) : (
    <Flex align="center" gap="2">
      <svg viewBox="0 0 60 6" width="60" height="6" aria-hidden="true">
        <rect width="60" height="6" rx="3" fill="var(--gray-5)" />
        <rect width={percent * 0.6} height="6" rx="3" fill="var(--accent-9)" />
      </svg>
      <span>{percent} %</span>
    </Flex>
  )

/** Bytes as megabytes with one decimal. */
export const Size = ({ bytes }: { bytes: number | null }) => {
  if (bytes === null) return <Text color="gray">–</Text>
  return <span>{`${(bytes / megabyte).toFixed(1)} MB`}</span>
}

/** The first letters of the hash of a package; all of it is copied. */
export const Hash = ({ sha256 }: { sha256: string | null }) =>
  sha256 === null ? (
    <Text color="gray">–</Text>
  ) : (
    <span title={sha256}>
      <code>{sha256.slice(0, 12)}</code> <CopyIcon value={sha256} />
    </span>
  )
