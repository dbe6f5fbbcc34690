module Wire.FSharp.Tests.PropertyTests
let private x = 0
