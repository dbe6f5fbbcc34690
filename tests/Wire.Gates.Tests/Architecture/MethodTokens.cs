using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Wire.Gates.Tests.Architecture;

/// <summary>Reads the metadata tokens among the instructions of a method.</summary>
internal static class MethodTokens
{
    private static readonly Dictionary<int, OperandType> Operands = typeof(OpCodes).GetFields()
        .Select(field => (OpCode)field.GetValue(null)!)
        .ToDictionary(code => (ushort)code.Value + 0, code => code.OperandType);

    /// <summary>Lists what the instructions refer to.</summary>
    public static IEnumerable<EntityHandle> Read(byte[] code)
    {
        for (int at = 0; at < code.Length;)
        {
            int operation = code[at++];
            if (operation == 0xFE)
            {
                operation = (operation << 8) | code[at++];
            }

            OperandType operand = Operands[operation];
            if (operand is OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineTok or OperandType.InlineType
                or OperandType.InlineSig)
            {
                yield return MetadataTokens.EntityHandle(BitConverter.ToInt32(code, at));
            }

            at += operand switch
            {
                OperandType.InlineNone => 0,
                OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
                OperandType.InlineVar => 2,
                OperandType.InlineI8 or OperandType.InlineR => 8,
                OperandType.InlineSwitch => 4 + (4 * BitConverter.ToInt32(code, at)),
                _ => 4,
            };
        }
    }
}
