module Wire.FSharp.Tests.VersionTests
let private x = 0
