import { isDayMarker } from '../journal/day-file.ts'
import { isSectionMarkerLine } from './sections.ts'

export function isMarkerLine(line: string): boolean {
  return isSectionMarkerLine(line) || isDayMarker(line)
}
