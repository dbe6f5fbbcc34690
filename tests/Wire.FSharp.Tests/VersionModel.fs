module Wire.FSharp.Tests.VersionModel
let private x = 0
