module Wire.FSharp.Tests.AllocationTests
let private x = 0
