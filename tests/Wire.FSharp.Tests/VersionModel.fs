module Wire.FSharp.Tests.VersionModel

open Wire

/// The types of the program that wrote.
module Write =
    [<WireName "Version.Event">]
    type Event =
        | Opened
        | Renamed of string
        | Gone of name: string * inner: Event
        | Moved of x: int * y: int
        | Closed of int

    [<WireName "Version.Fields">]
    type Fields =
        | Alone of int
        | Named of first: byte * second: string * third: float32
        | Deep of gone: Event list * kept: int
        | Plain

    [<WireName "Version.Struct"; Struct>]
    type Struct =
        | Nothing
        | Number of number: int16
        | Many of many: Struct list

    [<WireName "Version.Log">]
    type Log =
        { Before: int
          Event: Event
          Value: Struct
          Values: Struct list
          GoneValues: Struct[]
          GoneEvent: Event
          GoneMap: Map<string, Event option>
          GoneSet: Set<Struct>
          GoneResult: Result<Event, Struct>
          Shared: Event
          After: string }

    [<WireName "Version.Maybe">]
    type Maybe =
        | No
        | Yes of int

    [<WireName "Version.Other">]
    type Other = Other of int

/// The same types in the program that reads: cases and fields are added, removed, reordered, renamed and wider.
module Read =
    [<WireName "Version.Event">]
    type Event =
        | Closed of int64
        | Added of string
        | Moved of y: int * x: int
        | [<WireName "Renamed">] Titled of string
        | Opened

    [<WireName "Version.Fields">]
    type Fields =
        | Plain
        | Alone of int * string
        | Named of third: float * added: int option * first: int
        | Deep of kept: int64

    [<WireName "Version.Struct"; Struct>]
    type Struct =
        | Many of many: Struct list
        | Added of added: string
        | Number of number: int
        | Nothing

    [<WireName "Version.Log">]
    type Log =
        { After: string
          Before: int64
          Event: Event
          Value: Struct
          Values: Struct list
          Shared: Event
          Added: Event }

    [<WireName "Version.Maybe"; CompilationRepresentation(CompilationRepresentationFlags.UseNullAsTrueValue)>]
    type Maybe =
        | No
        | Yes of int

    [<WireName "Version.Other">]
    type Other = Other of string

type Twins =
    | First of int
    | [<WireName "First">] Second

type HalfNamed =
    | [<WireName "x\uD83D">] Half of int
    | Whole of int

module Plain =
    [<WireName "Version.Optional">]
    type Optional = { Age: int }

module Wrapped =
    [<WireName "Version.Optional">]
    type Optional = { Age: int option }
