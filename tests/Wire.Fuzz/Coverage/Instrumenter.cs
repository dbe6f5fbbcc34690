using Mono.Cecil;
using Mono.Cecil.Cil;
using Mono.Cecil.Rocks;

namespace Wire.Fuzz.Coverage;

/// <summary>
/// Rewrites an assembly so that each basic block counts how often it is entered: one byte per block, in one static field. The code
/// that the library emits at run time has no blocks; the helpers that it calls have.
/// </summary>
internal static class Instrumenter
{
    /// <summary>The type that holds the counters. <see cref="CoverageMap"/> finds it by this name.</summary>
    public const string CellsType = "Wire.Fuzz.Cells";

    /// <summary>Its method that returns a reference to the first of them.</summary>
    public const string FirstMethod = "First";

    /// <summary>Rewrites the file.</summary>
    /// <returns>How many blocks it has.</returns>
    public static int Rewrite(string file)
    {
        using var assembly = AssemblyDefinition.ReadAssembly(file, new ReaderParameters { InMemory = true });
        ModuleDefinition module = assembly.MainModule;
        MethodDefinition[] methods =
            [.. module.GetTypes().SelectMany(type => type.Methods).Where(method => method.HasBody && method.Body.Instructions.Count > 0)];
        FieldDefinition cells = AddCells(module, out TypeDefinition storage);
        int blocks = 0;
        foreach (MethodDefinition method in methods)
        {
            Rewrite(method.Body, cells, ref blocks);
        }

        storage.ClassSize = Math.Max(blocks, 1);
        assembly.Write(file);
        return blocks;
    }

    private static FieldDefinition AddCells(ModuleDefinition module, out TypeDefinition storage)
    {
        const TypeAttributes Static = TypeAttributes.NotPublic | TypeAttributes.Abstract | TypeAttributes.Sealed;
        int point = CellsType.LastIndexOf('.');
        var type = new TypeDefinition(CellsType[..point], CellsType[(point + 1)..], Static, module.TypeSystem.Object);
        const TypeAttributes Inner = TypeAttributes.NestedPrivate | TypeAttributes.ExplicitLayout | TypeAttributes.Sealed;
        storage = new TypeDefinition("", "Storage", Inner, module.ImportReference(typeof(ValueType)));
        storage.PackingSize = 1;
        type.NestedTypes.Add(storage);
        module.Types.Add(type);
        var field = new FieldDefinition("Counts", FieldAttributes.Assembly | FieldAttributes.Static, storage);
        type.Fields.Add(field);
        var first = new MethodDefinition(
            FirstMethod, MethodAttributes.Public | MethodAttributes.Static, new ByReferenceType(module.TypeSystem.Byte));
        ILProcessor il = first.Body.GetILProcessor();
        il.Emit(OpCodes.Ldsflda, field);
        il.Emit(OpCodes.Ret);
        type.Methods.Add(first);
        return field;
    }

    private static void Rewrite(MethodBody body, FieldDefinition cells, ref int blocks)
    {
        // Short branches would not reach over what is inserted.
        body.SimplifyMacros();
        HashSet<Instruction> leaders = Leaders(body);
        var starts = new Dictionary<Instruction, Instruction>();
        ILProcessor il = body.GetILProcessor();
        foreach (Instruction leader in body.Instructions.Where(leaders.Contains).ToArray())
        {
            Instruction start = il.Create(OpCodes.Ldsflda, cells);
            Instruction[] count =
            [
                start, il.Create(OpCodes.Ldc_I4, blocks++), il.Create(OpCodes.Add), il.Create(OpCodes.Dup), il.Create(OpCodes.Ldind_U1),
                il.Create(OpCodes.Ldc_I4, 1), il.Create(OpCodes.Add), il.Create(OpCodes.Conv_U1), il.Create(OpCodes.Stind_I1),
            ];
            foreach (Instruction instruction in count)
            {
                il.InsertBefore(leader, instruction);
            }

            starts[leader] = start;
        }

        Redirect(body, starts);
        body.OptimizeMacros();
    }

    // The first instruction, what is branched to, what follows a branch, and the beginnings of handlers.
    private static HashSet<Instruction> Leaders(MethodBody body)
    {
        var leaders = new HashSet<Instruction> { body.Instructions[0] };
        foreach (Instruction instruction in body.Instructions)
        {
            if (instruction.Operand is Instruction target)
            {
                leaders.Add(target);
            }
            else if (instruction.Operand is Instruction[] targets)
            {
                leaders.UnionWith(targets);
            }

            if (instruction.OpCode.FlowControl is FlowControl.Cond_Branch or FlowControl.Branch or FlowControl.Return or FlowControl.Throw
                && instruction.Next is { } next)
            {
                leaders.Add(next);
            }
        }

        foreach (ExceptionHandler handler in body.ExceptionHandlers)
        {
            leaders.UnionWith(new[] { handler.TryStart, handler.HandlerStart, handler.FilterStart }.OfType<Instruction>());
        }

        return leaders;
    }

    private static void Redirect(MethodBody body, Dictionary<Instruction, Instruction> starts)
    {
        foreach (Instruction instruction in body.Instructions)
        {
            if (instruction.Operand is Instruction target)
            {
                instruction.Operand = Start(target);
            }
            else if (instruction.Operand is Instruction[] targets)
            {
                instruction.Operand = Array.ConvertAll(targets, t => Start(t)!);
            }
        }

        foreach (ExceptionHandler handler in body.ExceptionHandlers)
        {
            handler.TryStart = Start(handler.TryStart);
            handler.TryEnd = Start(handler.TryEnd);
            handler.FilterStart = Start(handler.FilterStart);
            handler.HandlerStart = Start(handler.HandlerStart);
            handler.HandlerEnd = Start(handler.HandlerEnd);
        }

        Instruction? Start(Instruction? target) =>
            target is not null && starts.TryGetValue(target, out Instruction? start) ? start : target;
    }
}
