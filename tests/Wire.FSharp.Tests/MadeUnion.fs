/// Makes unions of any number of cases, as the compiler does, in an assembly of their own.
module Wire.FSharp.Tests.MadeUnion

open System
open System.IO
open System.Reflection
open System.Reflection.Emit
open System.Runtime.Loader

let private mapped (number: int array) =
    let types = Array.create number.Length typeof<int>
    types[0] <- typeof<SourceConstructFlags>
    let arguments = number |> Array.mapi (fun i n -> if i = 0 then box (enum<SourceConstructFlags> n) else box n)
    CustomAttributeBuilder(typeof<CompilationMappingAttribute>.GetConstructor types, arguments)

let private method (owner: TypeBuilder) name attributes (result: Type) (parameters: Type[]) (emit: ILGenerator -> unit) =
    let made = owner.DefineMethod(name, MethodAttributes.Public ||| MethodAttributes.HideBySig ||| attributes, result, parameters)
    emit (made.GetILGenerator())
    made

let private property (owner: TypeBuilder) name (result: Type) (emit: ILGenerator -> unit) =
    let made = owner.DefineProperty(name, PropertyAttributes.None, result, null)
    made.SetGetMethod(method owner $"get_{name}" MethodAttributes.SpecialName result [||] emit)
    made

let private build (cases: int) (firstNumber: int) (argument: string) =
    let assembly = PersistedAssemblyBuilder(AssemblyName $"Wire.Made.UnionOf{cases}", typeof<obj>.Assembly)
    let union = assembly.DefineDynamicModule("made").DefineType("Made.Union", TypeAttributes.Public ||| TypeAttributes.Abstract)
    union.SetCustomAttribute(mapped [| int SourceConstructFlags.SumType |])
    let tag = union.DefineField("_tag", typeof<int>, FieldAttributes.Private ||| FieldAttributes.InitOnly)
    let start = union.DefineConstructor(MethodAttributes.Assembly, CallingConventions.Standard, [| typeof<int> |])
    let il = start.GetILGenerator()
    il.Emit OpCodes.Ldarg_0
    il.Emit(OpCodes.Call, typeof<obj>.GetConstructor [||])
    il.Emit OpCodes.Ldarg_0
    il.Emit OpCodes.Ldarg_1
    il.Emit(OpCodes.Stfld, tag)
    il.Emit OpCodes.Ret

    let get (field: FieldInfo) (il: ILGenerator) =
        il.Emit OpCodes.Ldarg_0
        il.Emit(OpCodes.Ldfld, field)
        il.Emit OpCodes.Ret

    property union "Tag" typeof<int> (get tag) |> ignore

    let defineCase (number: int) =
        let name = $"Case{number}"
        let case = union.DefineNestedType(name, TypeAttributes.NestedPublic, union)
        let item = case.DefineField("item", typeof<int>, FieldAttributes.Assembly ||| FieldAttributes.InitOnly)
        let made = case.DefineConstructor(MethodAttributes.Assembly, CallingConventions.Standard, [| typeof<int> |])
        let il = made.GetILGenerator()
        il.Emit OpCodes.Ldarg_0
        il.Emit(OpCodes.Ldc_I4, number)
        il.Emit(OpCodes.Call, start)
        il.Emit OpCodes.Ldarg_0
        il.Emit OpCodes.Ldarg_1
        il.Emit(OpCodes.Stfld, item)
        il.Emit OpCodes.Ret
        (property case "Item" typeof<int> (get item)).SetCustomAttribute(mapped [| int SourceConstructFlags.Field; number; 0 |])

        property union $"Is{name}" typeof<bool> (fun il ->
            il.Emit OpCodes.Ldarg_0
            il.Emit(OpCodes.Isinst, case)
            il.Emit OpCodes.Ldnull
            il.Emit OpCodes.Cgt_Un
            il.Emit OpCodes.Ret)
        |> ignore

        let maker =
            method union $"New{name}" MethodAttributes.Static union [| typeof<int> |] (fun il ->
                il.Emit OpCodes.Ldarg_0
                il.Emit(OpCodes.Newobj, made)
                il.Emit OpCodes.Ret)

        maker.DefineParameter(1, ParameterAttributes.None, argument) |> ignore
        maker.SetCustomAttribute(mapped [| int SourceConstructFlags.UnionCase; number + firstNumber |])
        case

    let classes = List.init cases defineCase

    for made in union :: classes do
        made.CreateType() |> ignore

    let image = new MemoryStream()
    assembly.Save image
    image.ToArray()

let private loadInto (context: AssemblyLoadContext) (image: byte[]) =
    context.LoadFromStream(new MemoryStream(image)).GetType("Made.Union", throwOnError = true)

/// A union of so many cases, with an int in each, in a load context.
let load (cases: int) (context: AssemblyLoadContext) = loadInto context (build cases 0 "item")

/// A union that another compiler may make: the arguments do not have the names of the fields.
let loadOther (context: AssemblyLoadContext) = loadInto context (build 5 0 "argument")

/// A union whose cases do not begin with 0, as no compiler makes one.
let loadWrong (context: AssemblyLoadContext) = loadInto context (build 2 1 "item")

/// A value of a case.
let value (union: Type) (case: int) (item: int) =
    union.GetMethod($"NewCase{case}").Invoke(null, [| box item |])
