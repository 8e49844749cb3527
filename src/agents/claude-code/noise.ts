// What can be said of a line before it is parsed: it carries nothing that the other lines do not.

const progress = Buffer.from('"type":"progress","data":{"type":"')
const progressEnd = Buffer.from('"toolUseID":"')
const request = Buffer.from('{"type":"api-request')
const chained = Buffer.from('{"parentUuid":')

/**
 * To 2.1.8x a third of all records were progress notes that repeat what the results say; 2.1.28x writes every request
 * with its whole body. A torn one may have another record glued to it, so its end is looked at too.
 */
export function isNoise(line: Buffer): boolean {
  if (line.subarray(0, request.length).equals(request)) return line.indexOf(chained, 1) < 0
  return line.subarray(0, 1500).includes(progress) && line.subarray(-800).includes(progressEnd)
}
