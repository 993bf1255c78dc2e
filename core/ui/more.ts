import 'virtual:radix-more'

/** What not every list draws: these bring the second part of the theme's style sheet. */
export {
  Card,
  CheckboxGroup,
  Code,
  Grid,
  Heading,
  Kbd,
  Progress,
  RadioGroup,
  SegmentedControl,
  Switch,
  Table,
  TabNav,
  Tabs,
  TextArea,
} from '@radix-ui/themes'
