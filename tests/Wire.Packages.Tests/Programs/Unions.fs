open Wire

type Shape =
    | Circle of radius: float
    | Box of width: float * height: float
    | Nothing

type Drawing =
    { Name: string
      Shapes: Shape list
      Colors: Map<string, int> }

let serializer = Serializer(SerializerOptions.Default.UseFSharp())

let drawing =
    { Name = "house"
      Shapes = [ Box(4.0, 3.0); Circle 1.5; Nothing ]
      Colors = Map [ "wall", 0xFFFFFF ] }

let copy = serializer.Deserialize<Drawing>(serializer.Serialize drawing)
printfn "%A" copy.Shapes // [Box (4.0, 3.0); Circle 1.5; Nothing]
printfn "%b" (copy = drawing) // true
