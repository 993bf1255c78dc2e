import type { Meta } from '@storybook/web-components-vite'
import type { ReactNode } from 'react'
import { type IconName, iconPaths } from '../../core/element/leaves/icon-paths.ts'
import { Flex, Text } from '../../core/ui/basics.ts'
import { Icon } from '../../core/ui/icons.tsx'
import { Code, Grid } from '../../core/ui/more.ts'
import { part } from '../part.tsx'

export default { title: 'Parts/Tokens' } satisfies Meta

const steps = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12']
const scales = ['accent', 'gray', 'green', 'amber', 'red', 'blue'] as const

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <Flex align="center" gap="3">
    <Code variant="ghost" style={{ width: 150 }}>
      {name}
    </Code>
    {children}
  </Flex>
)

/** Teal acts, slate rests. Green ended well, amber needs attention, red is bad or overdue, blue is in progress. Use the steps for what they are: 1–2 backgrounds, 3–5 fills, 6–8 lines, 9–10 solid, 11–12 words. */
export const Colours = part(() => (
  <Flex direction="column" gap="2">
    {scales.map(scale => (
      <Line key={scale} name={`--${scale}-1 … 12`}>
        {steps.map(step => (
          <span
            key={step}
            title={`--${scale}-${step}`}
            style={{ width: 40, height: 28, background: `var(--${scale}-${step})`, borderRadius: 3 }}
          />
        ))}
      </Line>
    ))}
  </Flex>
))

/** Four sizes do: 1 beside and below, 2 everywhere, 4 for titles of dialogs and records, 5 for those of pages. Figures have one width. */
export const Type = part(() => (
  <Flex direction="column" gap="2">
    {(['1', '2', '3', '4', '5'] as const).map(size => (
      <Line key={size} name={`size ${size}`}>
        <Text size={size}>UGX 1,240,000 · 订单管理 · Order management · Usimamizi wa maombi</Text>
      </Line>
    ))}
    <Line name="mk-key">
      <span className="mk-key">LO260301ABCDEFGH</span>
    </Line>
  </Flex>
))

/** Space goes in steps of four pixels. */
export const Space = part(() => (
  <Flex direction="column" gap="2">
    {['1', '2', '3', '4', '5', '6'].map(step => (
      <Line key={step} name={`--space-${step}`}>
        <span style={{ width: `var(--space-${step})`, height: 16, background: 'var(--accent-9)' }} />
      </Line>
    ))}
  </Flex>
))

/** A row is 36 px high, 28 px where the density is compact; the toolbar of this page switches it. */
export const Rows = part(() => (
  <Line name="--mk-row">
    <span style={{ width: 240, height: 'var(--mk-row)', background: 'var(--gray-4)' }} />
  </Line>
))

/** Drawn on 16 × 16, stroke 1.5, in the colour of the words beside them. An icon that stands alone is named for those who cannot see it. */
export const Icons = part(() => (
  <Grid columns="6" gap="3">
    {(Object.keys(iconPaths) as IconName[]).map(name => (
      <Flex key={name} align="center" gap="2">
        <Icon name={name} />
        <Code variant="ghost">{name}</Code>
      </Flex>
    ))}
  </Grid>
))
