module Wire.FSharp.Tests.SafetyTests
let private x = 0
